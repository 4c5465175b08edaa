// expect: error::axes_do_not_fit
// expect: "mul"
// expect: "digit=10"
// expect: "digit=12"
// expect: "batch digit=10"
// expect: "batch digit=12"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& a, Float32<"batch digit=12"> const& b) {
  return a * b;
}
