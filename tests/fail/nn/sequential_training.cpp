// expect: axes_do_not_fit<
// expect: "BatchNorm"
// expect: "channel=3"
// expect: "channel=4"
#include <tenon/nn.hpp>

using namespace tenon;

auto train(Residual<Sequential<BatchNorm<"channel=4">>> const& block,
           Float32<"batch channel=3"> const& x) {
  return block(x, Training{});
}
