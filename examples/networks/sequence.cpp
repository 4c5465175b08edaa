// An LSTM and a GRU learn to continue sine waves of random frequencies.
// test-long

#include <cstdio>
#include <tuple>

#include <tenon/nn.hpp>

using namespace tenon;

/// A recurrent layer, and the next value at each time from its outputs.
template <class Layer>
struct Forecaster {
  Layer layer;
  Linear<"hidden=24", "value=1"> last;

  auto operator()(Float<"batch time value=1"> auto const& x) const {
    return eval(last(layer(x).first));
  }
};

Float32<"batch time=41 value=1"> draw_waves(Key const& key, std::int64_t count) {
  auto const [of_frequency, of_phase] = split<2>(key);
  auto const frequency = uniform<Float32<"batch 1 1">>(of_frequency, 0.2, 0.6, count);
  auto const phase = uniform<Float32<"batch 1 1">>(of_phase, 0, 6.28, count);
  return sin(frequency * iota<Float32<"time=41 value=1">>() + phase);
}

/// The loss at the end of training as a share of that at its beginning.
template <class Layer>
float train(char const* name) {
  auto model = init::xavier_uniform<Forecaster<Layer>>(Key{1});
  AdamW const adam{.rate = 1e-2};
  auto state = adam.init(model);
  float first = 0, last = 0;
  for (int step = 0; step < 150; ++step) {
    auto const waves = draw_waves(fold_in(Key{2}, step), 16);
    auto const seen = eval(slice<"time", 0, 40>(waves)), next = eval(slice<"time", 1, 41>(waves));
    auto const [loss, gradients] =
        value_and_grad([&](auto const& m) { return mse_loss(m(seen), next); })(model);
    std::tie(model, state) = adam.step(model, gradients, state);
    (step == 0 ? first : last) = loss.item();
  }
  std::printf("%s: loss %.5f, after 150 steps %.5f\n", name, double(first), double(last));
  return last / first;
}

int main() {
  float const lstm = train<LSTM<"value=1", "hidden=24">>("LSTM");
  float const gru = train<GRU<"value=1", "hidden=24">>("GRU");
  return lstm < 0.05f && gru < 0.05f ? 0 : 1;
}
