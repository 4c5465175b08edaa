// expect: "an unknown character"
// expect: malformed_spec
// expect: "batch$"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = annotation_fits<"batch$">(Shape{});
