// expect: error::is_not_a_scalar
// expect: "train_step"
// expect: "batch digit=2"
#include <tenon/tenon.hpp>
#include <tenon/train/loop.hpp>

using namespace tenon;

struct Model {
  Float32<"in=3 digit=2"> weight;
};

auto mistaken(Model& model, Float32<"batch in=3"> const& batch, SGDState<Model>& state) {
  return training::train_step(
      model, batch, [](Model const& m, auto const& x) { return matmul(x, m.weight); }, SGD{},
      state);
}
