// expect: "a modifier must stand before a name"
// expect: malformed_spec
// expect: "#"
// expect: "a #"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"a #">(Shape{});
