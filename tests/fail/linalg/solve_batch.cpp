// expect: error::axes_do_not_fit
// expect: "solve"
// expect: "batch=3"
// expect: "batch=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"batch=3 n=2 n=2"> const& a, Float64<"batch=4 n=2 k=5"> const& b) {
  return linalg::solve(a, b);
}
