// expect: error::pattern_is_a_template_argument<
// expect: "rearrange<\"h w -> w h\">(x)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return rearrange(x, "b d -> d b"); }
