// expect: dtype_is_not_supported<
// expect: "cross_entropy"
// expect: "float32"
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch digit=10"> const& logits, tenon::Float32<"batch"> const& labels) {
  return tenon::cross_entropy<"digit">(logits, labels).item();
}
