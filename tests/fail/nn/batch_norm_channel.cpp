// expect: axes_do_not_fit<
// expect: "BatchNorm"
// expect: "channel=32"
// expect: "channel=16"
// expect: "batch channel=32 height width"
#include <tenon/nn.hpp>

auto normal(tenon::BatchNorm<"channel=16"> const& norm,
            tenon::Float32<"batch channel=32 height width"> const& x) {
  return eval(norm(x));
}
