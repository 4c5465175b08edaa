// expect: error::elements_are_on_a_device
// expect: "as_eigen"
// expect: "move it first, with to<Cpu>"
// expect: "cuda"
#include <tenon/backend/cuda.hpp>
#include <tenon/io/eigen.hpp>

auto mistaken(tenon::Float32<"n", tenon::Cuda> const& x) { return tenon::as_eigen(x); }
