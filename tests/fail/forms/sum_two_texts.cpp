// expect: error::axes_are_one_template_argument<
// expect: "sum<\"height width\">(x)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return sum<"batch", "digit">(x); }
