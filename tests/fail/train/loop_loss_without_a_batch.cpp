// expect: error::function_does_not_take<
// expect: "train_step"
// expect: Model
// expect lines: 16
#include <tenon/tenon.hpp>
#include <tenon/train/loop.hpp>

using namespace tenon;

struct Model {
  Float32<"n=2"> weight;
};

auto mistaken(Model& model, Float32<"n=2"> const& batch, SGDState<Model>& state) {
  return training::train_step(
      model, batch, [](Model const& m) { return sum(m.weight); }, SGD{}, state);
}
