// expect: error::axis_is_not_found
// expect: "mean"
// expect: "depth"
// expect: "batch height width"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch height width"> const& x) { return mean<"height depth">(x); }
