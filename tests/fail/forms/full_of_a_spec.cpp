// expect: error::type_is_a_template_argument<
// expect: "full<Float32<\"n m\">>"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return full<"n m">(1.0f, 3, 4); }
