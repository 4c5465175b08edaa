// expect: error::elements_are_on_a_device
// expect: "as_mdspan"
// expect: "cuda"
#include <tenon/backend/cuda.hpp>
#include <tenon/io/mdspan.hpp>

auto mistaken(tenon::Float32<"n", tenon::Cuda> const& x) { return tenon::as_mdspan(x); }
