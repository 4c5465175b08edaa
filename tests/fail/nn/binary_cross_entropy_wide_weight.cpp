// expect: shapes_do_not_align<
// expect: "binary_cross_entropy"
// expect: "class=3"
// expect: "batch class=3"
#include <tenon/nn.hpp>

float loss(tenon::Float32<"class=3"> const& x, tenon::Float32<"batch class=3"> const& weight) {
  return tenon::binary_cross_entropy(x, x, weight).item();
}
