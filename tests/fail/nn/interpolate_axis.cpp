// expect: error::axis_is_not_found<
// expect: "interpolate"
// expect: "height"
// expect: "batch row column"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch row column"> const& x) { return interpolate<"height=4">(x); }
