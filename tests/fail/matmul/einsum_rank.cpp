// expect: error::pattern_does_not_fit
// expect: "einsum"
// expect: "left operand: fewer axes than words"
// expect: "b n k, k m -> b m"
// expect: "b n"
// expect: "n m"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"b n"> const& a, Float32<"n m"> const& b) {
  return einsum<"b n k, k m -> b m">(a, b);
}
