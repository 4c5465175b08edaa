// expect: error::pattern_does_not_fit
// expect: "einsum"
// expect: "k is in no operand"
// expect: "b n, n m -> b k"
// expect: "b n"
// expect: "n m"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"b n"> const& a, Float32<"n m"> const& b) {
  return einsum<"b n, n m -> b k">(a, b);
}
