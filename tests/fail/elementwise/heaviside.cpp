// expect: axes_do_not_fit<
// expect: "heaviside"
// expect: "n=3"
// expect: "n=4"
#include <tenon/elementwise.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x, tenon::Float32<"n=4"> const& y) {
  return tenon::heaviside(x, y);
}
