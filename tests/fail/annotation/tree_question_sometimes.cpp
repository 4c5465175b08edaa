// expect: "? before a name: always or never"
// expect: malformed_spec
// expect: "?n"
// expect: "?n n"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::tree_fits<"?n n">(std::array<Shape, 2>{});
