// expect: error::dtypes_differ
// expect: "where"
// expect: "bfloat16"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& mask, BFloat16<"n"> const& x, Float32<"n"> const& y) {
  return where(mask, x, y);
}
