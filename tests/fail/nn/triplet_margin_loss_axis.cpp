// expect: axis_is_not_found<
// expect: "triplet_margin_loss"
// expect: "feature"
// expect: "batch d=3"
#include <tenon/nn.hpp>

float loss(tenon::Float32<"batch d=3"> const& x) {
  return tenon::triplet_margin_loss<"feature">(x, x, x, {.margin = 2}).item();
}
