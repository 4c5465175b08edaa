// expect: error::type_is_a_template_argument<
// expect: "ones<Float32<\"n m\">>"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return ones<"n m">(3, 4); }
