// expect: wrong_number_of_axes<
// expect: "scaled_dot_product_attention"
// expect: "feature=3"
// expect: 4
#include <tenon/nn.hpp>

auto attended(tenon::Float32<"feature=3"> const& x) {
  return scaled_dot_product_attention(x, x, x, tenon::is_causal);
}
