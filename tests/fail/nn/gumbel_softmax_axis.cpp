// expect: axis_is_not_found<
// expect: "gumbel_softmax"
// expect: "digit"
#include <tenon/nn.hpp>

auto draw(tenon::Float32<"batch n=3"> const& x) {
  return tenon::gumbel_softmax<"digit">(tenon::Key(1), x, {.hard = true});
}
