// expect: axis_is_not_found<
// expect: "BatchNorm"
// expect: "channel"
// expect: "batch feature=16"
#include <tenon/nn.hpp>

auto normal(tenon::BatchNorm<"channel=16"> const& norm,
            tenon::Float32<"batch feature=16"> const& x) {
  return norm(x, tenon::Training{});
}
