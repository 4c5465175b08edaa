// expect: "a ( is not closed"
// expect: malformed_spec
// expect: "(n+1"
// expect: "n (n+1"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"n (n+1">(Shape{});
