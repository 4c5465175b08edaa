// expect: error::axes_do_not_fit
// expect: "einsum"
// expect: "n=3"
// expect: "n=4"
// expect: "b n=3"
// expect: "n=4 m"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"b n=3"> const& a, Float32<"n=4 m"> const& b) {
  return einsum<"i j, j k -> i k">(a, b);
}
