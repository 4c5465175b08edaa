// expect: labels_are_ids<
// expect: "cross_entropy"
// expect: "argmax<\"digit\">(labels)"
// expect: "batch digit=10"
// expect lines: 8
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch digit=10"> const& logits,
           tenon::Int32<"batch digit=10"> const& labels) {
  return tenon::cross_entropy<"digit">(logits, labels).item();
}
