// expect: axes_do_not_fit<
// expect: "mse_loss"
// expect: "batch=4 n=3"
// expect: "batch=1 n=3"
#include <tenon/tenon.hpp>

float loss(tenon::Float32<"batch=4 n=3"> const& a, tenon::Float32<"batch=1 n=3"> const& b) {
  return tenon::mse_loss(a, b).item();
}
