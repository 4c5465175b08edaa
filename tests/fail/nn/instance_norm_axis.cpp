// expect: axis_is_not_found<
// expect: "InstanceNorm"
// expect: "width"
// expect: "batch channel t"
#include <tenon/nn.hpp>

auto normal(tenon::Float32<"batch channel t"> const& x) {
  return tenon::InstanceNorm<"width">()(x);
}
