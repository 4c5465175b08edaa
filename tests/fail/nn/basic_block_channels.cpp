// expect: axes_do_not_fit<
// expect: "Conv2d"
// expect: "channel=3"
// expect: "channel=8"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(BasicBlock<"channel=8", "channel=16", 2> const& block,
              Float32<"batch channel=3 height width"> const& x) {
  return block(x);
}
