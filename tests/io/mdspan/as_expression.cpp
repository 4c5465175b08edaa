// expect: error::expression_has_no_elements
// expect: "as_mdspan"
// expect: "evaluate it first, with eval"
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(tenon::Float32<"n"> const& x) { return tenon::as_mdspan(x + x); }
