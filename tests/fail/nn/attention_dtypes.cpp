// expect: dtypes_differ<
// expect: "scaled_dot_product_attention"
// expect: "float32"
// expect: "float64"
#include <tenon/nn.hpp>

auto attended(tenon::Float32<"batch t head feature"> const& x,
              tenon::Float64<"batch t head feature"> const& v) {
  return scaled_dot_product_attention(x, x, v, tenon::is_causal);
}
