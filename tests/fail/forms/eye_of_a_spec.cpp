// expect: error::type_is_a_template_argument<
// expect: "eye<Float32<\"n m\">>"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return eye<"n m">(3, 4); }
