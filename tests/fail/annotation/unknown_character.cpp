// expect: "an unknown character"
// expect: malformed_spec
// expect: "batch$"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"batch$">(Shape{});
