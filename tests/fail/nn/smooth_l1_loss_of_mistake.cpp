// expect: axes_do_not_fit<
// expect: "matmul"
#include <tenon/tenon.hpp>

auto loss(tenon::Float32<"batch n=3"> const& x, tenon::Float32<"m=4 k=2"> const& w,
          tenon::Float32<"batch k=2"> const& y) {
  return tenon::smooth_l1_loss(tenon::matmul(x, w), y, {.beta = 2});
}
