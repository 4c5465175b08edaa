// expect: axes_do_not_fit<
// expect: "scaled_dot_product_attention"
// expect: "key"
// expect: "time"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch head=2 query feature=3"> const& q,
              Float32<"batch head=2 key feature=3"> const& k, Mask<"query time"> const& seen) {
  return scaled_dot_product_attention(q, k, k, seen);
}
