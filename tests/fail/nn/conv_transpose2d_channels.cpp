// expect: error::axes_do_not_fit<
// expect: "ConvTranspose2d"
// expect: "channel=4"
// expect: "channel=3"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(ConvTranspose2d<"channel=3", "feature=8", 2> const& conv,
              Float32<"batch channel=4 height width"> const& x) {
  return conv(x);
}
