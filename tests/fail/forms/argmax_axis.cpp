// expect: error::axis_is_a_template_argument<
// expect: "argmax<-1>(x)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return argmax(x, 1); }
