// expect: error::function_does_not_take<
// expect: "grad"
// expect: Model
// expect: Tensor<int
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Float32<"n=3"> weight;
};

auto mistaken(Model const& model, Int32<"n=3"> const& ids) {
  auto const loss = [](Model const& m, Float32<"n=3"> const& x) { return sum(m.weight * x); };
  return grad(loss)(model, ids);
}
