// expect: "an arrow belongs to a pattern"
// expect: malformed_spec
// expect: "->"
// expect: "a -> b"
#include <tenon/core/annotation.hpp>

using namespace tenon;

bool const mistaken = annotation_fits<"a -> b">(Shape{});
