// expect: labels_are_ids<
// expect: "cross_entropy"
// expect: "argmax<\"digit\">(labels)"
// expect: "float32"
// expect lines: 8
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch digit=10"> const& logits, tenon::Float32<"batch"> const& labels) {
  return tenon::cross_entropy<"digit">(logits, labels).item();
}
