// expect: axes_do_not_fit<
// expect: "scaled_dot_product_attention"
// expect: "head=4"
// expect: "head=2"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch head=4 query feature=3"> const& q,
              Float32<"batch head=2 key feature=3"> const& k) {
  return scaled_dot_product_attention(q, k, k);  // without enable_gqa
}
