// expect: error::axes_do_not_fit
// expect: "solve_triangular"
// expect: "n=3"
// expect: "k=3"
#include <tenon/linalg.hpp>

using namespace tenon;

auto mistaken(Float64<"n=3 n=3"> const& a, Float64<"k=3"> const& b) {
  return linalg::solve_triangular(a, b);
}
