// expect: error::pattern_does_not_fit<
// expect: "separate letters by spaces"
// expect: "ij,jk->ik"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"2 3"> const& x, Float32<"3 4"> const& y) {
  return einsum<"ij,jk->ik">(x, y);
}
