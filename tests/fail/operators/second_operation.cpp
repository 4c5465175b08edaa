// expect: error::axes_do_not_fit
// expect: "add"
// expect: "digit=10"
// expect: "digit=9"
// expect: "batch digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x, Float32<"digit=9"> const& b) {
  return exp(x * 2.0f) + b;
}
