// expect: error::is_not_a_tensor
// expect: "grad"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) {
  return grad([](Float32<"n"> const&) { return 1.0f; })(x);
}
