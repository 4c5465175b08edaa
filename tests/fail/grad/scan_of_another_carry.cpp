// expect: error::carry_has_another_type<
// expect: "scan"
// expect: "n"
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"time n"> const& x, Float32<"n"> const& start) {
  return scan<"time">(
      [](Float32<"n"> const& s, Float32<"n"> const& v) { return sum(s * v) > 0.0f; }, start, x);
}
