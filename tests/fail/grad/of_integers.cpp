// expect: error::nothing_is_learned
// expect: "grad"
// expect: "no tensor is floating"
// expect: Tensor<int,
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& x) {
  return grad([](Int32<"n"> const& at) { return sum(at); })(x);
}
