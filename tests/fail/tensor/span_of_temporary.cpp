// expect: error::temporary_has_no_lasting_elements
// expect: "as_span"
// expect: "name it first"
#include <tenon/tenon.hpp>

auto mistaken(tenon::Float32<"n"> const& x) { return tenon::as_span(tenon::eval(x + x)); }
