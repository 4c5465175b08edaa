// expect: tenon::train_step: the loss is not a function of the model and a batch
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
