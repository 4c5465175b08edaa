// expect: error::is_not_a_scalar
// expect: "value_and_grad"
// expect: "batch n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch n"> const& x) {
  return value_and_grad([](Float32<"batch n"> const& at) { return exp(at); })(x);
}
