// expect: error::axis_is_a_template_argument<
// expect: "convolve<\"height width\">(x, kernel)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return convolve(x, x); }
