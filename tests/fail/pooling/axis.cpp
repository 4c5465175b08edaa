// expect: error::axis_is_not_found
// expect: "max_pool"
// expect: "width"
// expect: "batch height"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch height"> const& x) { return max_pool<"height width", 2>(x); }
