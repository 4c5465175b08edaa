// expect: "the same modifier stands twice"
// expect: malformed_spec
// expect: "##n"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"##n">(Shape{});
