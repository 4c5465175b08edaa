// expect: error::range_is_outside
// expect: "max_pool"
// expect: "-1..6"
// expect: "height=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch height=4 width=9"> const& x) {
  return max_pool<"height width", 7, Sliding{.padding = 1}>(x);
}
