// expect: error::function_does_not_take<
// expect: "value_and_grad"
// expect: Model
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Float32<"n=3"> weight;
};

auto mistaken(Model const& model) {
  auto const loss = [](Model const& m, Float32<"n=3"> const& x) { return sum(m.weight * x); };
  return value_and_grad(loss)(model);
}
