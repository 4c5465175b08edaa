// expect: error::pattern_does_not_fit<
// expect: "pixel_shuffle"
// expect: "batch channel=6 height width"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch channel=6 height width"> const& x) { return pixel_shuffle<2>(x); }
