// expect: shapes_do_not_align<
// expect: "cross_entropy"
// expect: "batch t digit=10"
// expect: "batch"
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch t digit=10"> const& logits, tenon::Int32<"batch"> const& labels) {
  return tenon::cross_entropy<"digit">(logits, labels).item();
}
