// expect: axes_do_not_fit<
// expect: "scaled_dot_product_attention"
// expect: "head=2"
// expect: "feature=2"
#include <tenon/nn.hpp>

auto attended(tenon::Float32<"batch query head=2 feature=2"> const& q,
              tenon::Float32<"batch key feature=2 head=2"> const& k) {
  return scaled_dot_product_attention(q, k, k, tenon::is_causal);
}
