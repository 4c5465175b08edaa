// expect: error::axes_do_not_fit
// expect: "where"
// expect: "n"
// expect: "m"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& mask, Float32<"n"> const& a, Float32<"m"> const& b) {
  return where(mask, a, b);
}
