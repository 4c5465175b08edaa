// expect: error::pattern_is_a_template_argument<
// expect: "einsum<\"i j, j k -> i k\">(x, y)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return einsum("b d, b d -> b", x, x); }
