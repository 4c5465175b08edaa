// expect: error::axes_do_not_fit
// expect: "solve"
// expect: "sensor=2"
// expect: "state=2"
// expect: "sensor=2 state=2"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"sensor=2 state=2"> const& a, Float64<"state=2"> const& b) {
  return linalg::solve(a, b);
}
