// expect: error::axis_is_a_template_argument<
// expect: "slice<\"t\", 1, 9>(x)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return slice(x, 0, 1, 2); }
