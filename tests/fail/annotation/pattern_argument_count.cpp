// expect: "another number of arguments"
// expect: malformed_spec
// expect: "b n, n m"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::pattern_fits<"b n, n m">(std::array<Shape, 3>{});
