// expect: axis_is_not_found<
// expect: "cross_entropy"
// expect: "class"
// expect: "batch digit=10"
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch digit=10"> const& logits, tenon::Int32<"batch"> const& labels) {
  return tenon::cross_entropy<"class">(logits, labels).item();
}
