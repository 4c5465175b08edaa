// expect: error::axis_is_not_found<
// expect: "unfold"
// expect: "channel"
// expect: "batch height width"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch height width"> const& x) { return unfold<"channel", 3>(x); }
