// expect: error::axis_is_a_template_argument<
// expect: "concat<\"t\">(a, b)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return concat(x, x, 0); }
