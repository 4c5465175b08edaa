// expect: axes_do_not_fit<
// expect: "matmul"
#include <tenon/nn.hpp>

auto activated(tenon::Float32<"batch n=3"> const& x, tenon::Float32<"m=4 k=2"> const& w) {
  return tenon::softshrink(tenon::matmul(x, w));
}
