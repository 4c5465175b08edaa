// expect: error::axis_is_not_found<
// expect: "Conv2d"
// expect: "height"
// expect: "batch channel=3 row column"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Conv2d<"channel=3", "feature=8", 3> const& conv,
              Float32<"batch channel=3 row column"> const& x) {
  return conv(x);
}
