// expect: dtypes_differ<
// expect: "causal_attention"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

auto attended(tenon::Float32<"batch t head feature"> const& x,
              tenon::Float64<"batch t head feature"> const& v) {
  return causal_attention(x, x, v);
}
