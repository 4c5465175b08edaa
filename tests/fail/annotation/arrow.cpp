// expect: "an arrow belongs to a pattern"
// expect: malformed_spec
// expect: "->"
// expect: "a -> b"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"a -> b">(Shape{});
