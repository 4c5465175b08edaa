// expect: error::dtypes_differ
// expect: "where"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& mask, Float32<"n"> const& a, Float64<"n"> const& b) {
  return where(mask, a, b);
}
