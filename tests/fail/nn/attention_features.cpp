// expect: axes_do_not_fit<
// expect: "scaled_dot_product_attention"
// expect: "feature=3"
// expect: "feature=4"
// expect: "batch query head=2 feature=3"
#include <tenon/nn.hpp>

auto attended(tenon::Float32<"batch query head=2 feature=3"> const& q,
              tenon::Float32<"batch key head=2 feature=4"> const& k) {
  return scaled_dot_product_attention(q, k, k);
}
