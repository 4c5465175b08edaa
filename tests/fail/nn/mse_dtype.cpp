// expect: dtypes_differ<
// expect: "mse_loss"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"n=3"> const& a, tenon::Float64<"n=3"> const& b) {
  return tenon::mse_loss(a, b).item();
}
