// expect: axes_do_not_fit<
// expect: "cross_entropy"
// expect: "t"
// expect: "time"
// expect: "batch t digit=10"
// expect: "batch time"
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch t digit=10"> const& logits,
           tenon::Int32<"batch time"> const& labels) {
  return tenon::cross_entropy<"digit">(logits, labels).item();
}
