// expect: axes_do_not_fit<
// expect: "huber_loss"
// expect: "n=3"
// expect: "n=4"
// expect: "batch n=3"
// expect: "batch n=4"
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch n=3"> const& x, tenon::Float32<"batch n=4"> const& y) {
  return tenon::huber_loss(x, y, {.delta = 2}).item();
}
