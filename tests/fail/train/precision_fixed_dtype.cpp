// expect: error::dtype_is_fixed<
// expect: "to"
// expect: "bfloat16"
// expect: Model
#include <tenon/tenon.hpp>
#include <tenon/train/precision.hpp>

using namespace tenon;

struct Model {
  Float32<"n=2"> weight;
  auto operator()(Float<"n=2"> auto const& x) const { return sum(x * weight); }
};

auto mistaken(Model& model, Float32<"n=2"> const& batch, SGDState<Model>& state) {
  training::Precision<> precision;
  auto const loss = [](auto const& m, auto const& x) { return m(x); };
  return training::train_step(model, batch, loss, SGD{}, state, precision);
}
