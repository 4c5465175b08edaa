// expect: error::axis_is_a_template_argument<
// expect: "set<\"t\">(x, i, value)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return set(x, 0, 1.0f); }
