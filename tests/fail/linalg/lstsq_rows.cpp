// expect: axes_do_not_fit<
// expect: "lstsq"
// expect: "m=5"
// expect: "m=4"
// expect: "m=5 n=2"
// expect: "m=4 k=3"
#include <tenon/linalg.hpp>

using namespace tenon;

auto mistaken(Float64<"m=5 n=2"> const& a, Float64<"m=4 k=3"> const& b) {
  return linalg::lstsq(a, b);
}
