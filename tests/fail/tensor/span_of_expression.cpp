// expect: error::expression_has_no_elements
// expect: "as_span"
// expect: "evaluate it first, with eval"
#include <tenon/tenon.hpp>

auto mistaken(tenon::Float32<"n"> const& x) { return tenon::as_span(x + x); }
