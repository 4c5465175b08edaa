// expect: "a comma: separate axes by spaces"
// expect: malformed_spec
// expect: "a,"
// expect: "a, b"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"a, b">(Shape{});
