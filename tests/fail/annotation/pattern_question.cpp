// expect: "? belongs to annotations of trees"
// expect: malformed_spec
// expect: "?n"
// expect: "?n, n"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::pattern_fits<"?n, n">(std::array<Shape, 2>{});
