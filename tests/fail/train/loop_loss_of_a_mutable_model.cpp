// expect: error::argument_needs_a_const_reference<
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
      model, batch, [](Model& m, auto const& x) { return sum(m.weight * x); }, SGD{}, state);
}
