// expect: error::axis_is_not_found<
// expect: "scan"
// expect: "t"
// expect: "time n"
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"time n"> const& x, Float32<"n"> const& start) {
  return scan<"t">([](Float32<"n"> const& s, Float32<"n"> const& v) { return s + v; }, start, x);
}
