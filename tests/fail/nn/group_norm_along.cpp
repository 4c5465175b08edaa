// expect: axis_is_not_found<
// expect: "GroupNorm"
// expect: "width"
// expect: "batch channel=16 height"
#include <tenon/nn.hpp>

auto normal(tenon::GroupNorm<"channel=16", 4, "height width"> const& norm,
            tenon::Float32<"batch channel=16 height"> const& x) {
  return norm(x);
}
