// expect: pos_weight_has_a_name<
// expect: "PosWeight{w}"
#include <tenon/nn.hpp>

float f(tenon::Float32<"batch"> const& x) {
  return tenon::binary_cross_entropy_with_logits(x, x, 3.0f).item();
}
