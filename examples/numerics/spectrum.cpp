// Signals of a few sines in noise: a network of complex numbers finds their spectra from those of
// the noisy signals. It is compared with the best gain for each frequency (N. Wiener, 1949), which
// cannot tell a sine from noise by its strength.
// test-long

#include <complex>
#include <cstdio>
#include <tuple>

#include <tenon/fft.hpp>
#include <tenon/nn.hpp>

using namespace tenon;
using fft::Norm;

using C = std::complex<float>;
using Spectra = Complex64<"batch k=17">;
using Network = Sequential<ComplexLinear<"k=17", "hidden=34">, ModReLU<"hidden=34">,
                           ComplexLinear<"hidden=34", "k=17">>;

/// Spectra of signals of 32 points with and without noise.
struct Data {
  Spectra noisy, clean;
};

Data make_data(Key const& key, std::int64_t count) {
  auto const keys = split<3>(key);
  auto const is_there = bernoulli<Mask<"batch k=17">>(keys[0], 0.12, count);
  auto const strengths = normal<Spectra>(keys[1], count);
  Spectra const sines = 4.f * where(is_there, strengths, C());
  auto const signals = eval(fft::irfft<"k">(sines, Norm::ortho));  // "batch k=32"
  auto const noise = normal<Float32<"batch k=32">>(keys[2], count);
  return {fft::rfft<"k">(signals + noise, Norm::ortho), fft::rfft<"k">(signals, Norm::ortho)};
}

auto loss(Spectra const& found, Spectra const& clean) { return mean(square(abs(found - clean))); }

/// The gain of each frequency with the least squared error.
Complex64<"k=17"> best_gains(Data const& data) {
  auto const power = sum<"batch">(square(abs(data.noisy)));
  return sum<"batch">(conj(data.noisy) * data.clean) / to<C>(power);
}

Network train(int steps) {
  auto network = init::kaiming_normal<Network>(Key{1});
  AdamW const adam{.rate = 2e-2, .weight_decay = 0};
  auto state = adam.init(network);
  for (int step = 0; step < steps; ++step) {
    auto const data = make_data(fold_in(Key{2}, step), 256);
    auto const gradients =
        grad([&](Network const& at) { return loss(at(data.noisy), data.clean); })(network);
    std::tie(network, state) = adam.step(network, gradients, state);
  }
  return network;
}

int main() {
  auto const test = make_data(Key{3}, 2000);
  auto const gains = best_gains(make_data(Key{4}, 2000));
  float const noise = loss(test.noisy, test.clean).item();
  float const linear = loss(test.noisy * gains, test.clean).item();
  float const network = loss(train(300)(test.noisy), test.clean).item();
  std::printf(
      "mean squared error: %.3f as measured, %.3f with the best gains, %.3f by the network\n",
      double(noise), double(linear), double(network));
  return network < 0.5f * linear ? 0 : 1;
}
