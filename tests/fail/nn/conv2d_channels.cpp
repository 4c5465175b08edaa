// expect: error::axes_do_not_fit<
// expect: "Conv2d"
// expect: "channel=4"
// expect: "channel=3"
// expect: "batch channel=4 height width"
// expect: "feature=8 channel=3 height=3 width=3"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Conv2d<"channel=3", "feature=8", 3> const& conv,
              Float32<"batch channel=4 height width"> const& x) {
  return conv(x);
}
