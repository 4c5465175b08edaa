// expect: axes_do_not_fit<
// expect: "n=3"
// expect: "n=4"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x, tenon::Float32<"n=4"> const& points) {
  return tenon::trapezoid<"n">(x, points);
}
