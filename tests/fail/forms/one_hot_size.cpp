// expect: error::axis_is_a_template_argument<
// expect: "one_hot<\"digit=10\">(labels)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"batch"> const& x) { return one_hot(x, 10); }
