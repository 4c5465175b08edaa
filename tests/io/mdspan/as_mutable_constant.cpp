// expect: error::elements_are_constant
// expect: "as_mutable_mdspan"
// expect: "use as_mdspan"
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(tenon::Float32<"n"> const& x) { return tenon::as_mutable_mdspan(x); }
