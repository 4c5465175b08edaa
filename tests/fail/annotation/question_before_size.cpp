// expect: "? takes a name, not a size"
// expect: malformed_spec
// expect: "?4"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::tree_fits<"?4">(std::array<Shape, 2>{});
