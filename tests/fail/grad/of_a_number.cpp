// expect: error::nothing_is_learned
// expect: "value_and_grad"
// expect: "there is no tensor"
// expect: double
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() {
  return value_and_grad([](Float64<""> const& x) { return x * x; })(0.5);
}
