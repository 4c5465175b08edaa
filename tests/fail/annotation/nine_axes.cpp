// expect: "a tensor has at most 8 axes"
// expect: malformed_spec
// expect: "i"
// expect: "a b c d e f g h i"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"a b c d e f g h i">(Shape{});
