// expect: shapes_do_not_align<
// expect: "binary_cross_entropy_with_logits"
// expect: "batch class=3"
// expect: "class=4"
#include <tenon/nn.hpp>

float loss(tenon::Float32<"batch class=3"> const& x, tenon::Float32<"class=4"> const& weight) {
  return tenon::binary_cross_entropy_with_logits(x, x, tenon::PosWeight{weight}).item();
}
