// expect: axes_do_not_fit<
// expect: "cosine_embedding_loss"
// expect: "batch"
// expect: "pair"
// expect: "batch d=3"
#include <tenon/nn.hpp>

float loss(tenon::Float32<"batch d=3"> const& x, tenon::Float32<"pair"> const& labels) {
  return tenon::cosine_embedding_loss<"d">(x, x, labels).item();
}
