// expect: axes_do_not_fit<
// expect: "hypot"
#include <tenon/elementwise.hpp>

auto lengths(tenon::Float32<"batch n=3"> const& x, tenon::Float32<"batch n=4"> const& y) {
  return tenon::hypot(x, y);
}
