// expect: "one name stands for two sizes"
// expect: malformed_spec
// expect: "n=3"
// expect: "n=3, n=4"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::pattern_fits<"n=3, n=4">(std::array<Shape, 2>{});
