// expect: "only one variadic can stand here"
// expect: malformed_spec
// expect: "*b"
// expect: "*a *b"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"*a *b">(Shape{});
