// expect: error::field_is_no_tree<
// expect: "train_step"
// expect: "is a pointer: use Constant<>"
// expect: "scale"
#include <tenon/tenon.hpp>
#include <tenon/train/loop.hpp>

using namespace tenon;

struct Model {
  Float32<"n=2"> weight;
  Float32<"n=2">* scale = nullptr;
};

auto mistaken(Model& model, Float32<"n=2"> const& batch, SGDState<Model>& state) {
  return training::train_step(
      model, batch, [](Model const& m, auto const& x) { return sum(x * m.weight); }, SGD{}, state);
}
