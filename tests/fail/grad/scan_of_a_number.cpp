// expect: error::function_does_not_take<
// expect: "scan"
// expect: float
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"time n"> const& x, Float32<"n"> const& start) {
  return scan<"time">([](Float32<"n"> const& s, float) { return s; }, start, 3.0f);
}
