// expect: error::pattern_is_a_template_argument<
// expect: "rename<\"t -> key\">(x)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return rename(x, "digit -> class"); }
