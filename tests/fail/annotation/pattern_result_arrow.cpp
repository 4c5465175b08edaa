// expect: "an arrow belongs to a pattern"
// expect: malformed_spec
// expect: "->"
// expect: "n, m -> n -> m"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::pattern_fits<"n, m -> n -> m">(std::array<Shape, 2>{});
