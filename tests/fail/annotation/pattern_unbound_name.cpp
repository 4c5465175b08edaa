// expect: "a name in it is bound nowhere"
// expect: malformed_spec
// expect: "m+k"
// expect: "b n, n m+k"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::pattern_fits<"b n, n m+k">(std::array<Shape, 2>{});
