// expect: "one name for one axis and several"
// expect: malformed_spec
// expect: "n"
// expect: "n *n"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"n *n">(Shape{});
