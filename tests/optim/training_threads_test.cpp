// A training run has the same bits, each time and for any number of threads.

#include <doctest/doctest.h>

#include <cstring>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>

#include "../bits/record.hpp"

namespace training_threads_test {

using namespace tenon;

namespace {

struct Classifier {
  Linear<"pixel=60", "hidden=200"> up;
  LayerNorm<"hidden=200"> norm;
  Linear<"hidden=200", "digit=10"> head;

  auto operator()(Float<"batch pixel=60"> auto const& image) const -> Float32<"batch digit=10"> {
    Float32<"batch hidden=200"> const hidden = gelu(up(image));
    return head(norm(hidden));
  }
};

/// All bits of a run: the losses of its steps, and the parameters after the last.
std::vector<float> train(int steps) {
  auto model = tenon::init::normal<Classifier>(Key{1}, 0.1);
  auto const adam = AdamW{.rate = 1e-2, .weight_decay = 0.1};
  auto state = adam.init(model);
  std::vector<float> bits;
  for (int step = 0; step < steps; ++step) {
    auto const [image_key, label_key] = split(fold_in(Key{2}, step));
    auto const images = normal<Float32<"batch pixel=60">>(image_key, 700);
    auto const labels = uniform<Int32<"batch">>(label_key, 0, 10, 700);
    auto const [loss, gradients] = value_and_grad(
        [&](Classifier const& m) { return cross_entropy<"digit">(m(images), labels); })(model);
    std::tie(model, state) = adam.step(model, clip_by_global_norm(gradients, 1), state);
    bits.push_back(loss.item());
  }
  tenon::tree::for_each(
      [&](auto const& leaf) { bits.insert(bits.end(), leaf.data(), leaf.data() + leaf.size()); },
      model);
  return bits;
}

}  // namespace

TEST_CASE("a training run has the same bits each time and for any number of threads") {
  int const before = threads();
  set_threads(1);
  auto const alone = train(3);
  bits::record("losses and parameters", {alone.begin(), alone.end()});
  CHECK(alone[2] < alone[0]);
  for (int const number : {1, 2, 3}) {
    set_threads(number);
    for (int repeat = 0; repeat < 2; ++repeat) {
      auto const again = train(3);
      REQUIRE(again.size() == alone.size());
      CHECK(std::memcmp(again.data(), alone.data(), alone.size() * sizeof(float)) == 0);
    }
  }
  set_threads(before);
}

}  // namespace training_threads_test
