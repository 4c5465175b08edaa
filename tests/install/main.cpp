// A user's program: it trains a model, saves it and loads it.
#include <filesystem>
#include <tuple>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

struct Classifier {
  Linear<"feature=4", "hidden=16"> first;
  LayerNorm<"hidden=16"> norm;
  Linear<"hidden=16", "class=2"> last;

  auto operator()(Float<"batch feature=4"> auto const& x) const {
    auto const hidden = eval(relu(norm(first(x))));  // "batch hidden=16"
    return eval(last(hidden));                       // "batch class=2"
  }
};

}  // namespace

int main() {
  auto const x = normal<Float32<"batch feature=4">>(Key{1}, 64);
  auto const label = eval(to<int>(sum<"feature">(x) > 0.0f));
  auto model = init::normal<Classifier>(Key{2}, 0.5);
  auto const adam = AdamW{.rate = 1e-2};
  auto state = adam.init(model);
  for (int step = 0; step < 100; ++step) {
    auto const [loss, gradients] = value_and_grad(
        [&](Classifier const& m) { return cross_entropy<"class">(m(x), label); })(model);
    std::tie(model, state) = adam.step(model, clip_by_global_norm(gradients, 1.0), state);
  }
  auto const path = std::filesystem::temp_directory_path() / "tenon_consumer.safetensors";
  save(path, model);
  auto const loaded = load<Classifier>(path);
  std::filesystem::remove(path);
  return mean(argmax<"class">(loaded(x)) == label).item() > 0.9f ? 0 : 1;
}
