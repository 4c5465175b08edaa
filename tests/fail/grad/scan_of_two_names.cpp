// expect: error::pattern_does_not_fit<
// expect: "scan"
// expect: "the axis of the steps is one name"
// expect: "step n"
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"time n"> const& x, Float32<"n"> const& start) {
  return scan<"step n">([](Float32<"n"> const& s, int) { return s; }, start, 3);
}
