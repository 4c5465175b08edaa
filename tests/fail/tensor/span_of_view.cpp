// expect: error::expression_has_no_elements
// expect: "as_span"
#include <tenon/tenon.hpp>

auto mistaken(tenon::View<float, "n"> const& x) { return tenon::as_span(x); }
