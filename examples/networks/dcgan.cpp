// A generator learns to draw digits that a discriminator does not tell from those of the data: a
// deep convolutional generative adversarial network (Radford et al., arXiv:1511.06434).
// test-long

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <tenon/nn.hpp>
#include <tenon/optim.hpp>

#include <tenon/train/loop.hpp>

#include "digits.hpp"

using namespace tenon;

using Noise = Float32<"batch noise=16 height=1 width=1">;
using Images = Float32<"batch channel=1 height=28 width=28">;
using Probabilities = Float32<"batch">;

constexpr ConvTransposeOptions no_bias{.bias = false};
constexpr ConvTransposeOptions twice{.stride = 2, .padding = 1, .bias = false};
constexpr ConvOptions half{.stride = 2, .padding = 1, .bias = false};

using Generator =
    Sequential<ConvTranspose2d<"noise=16", "channel=32", 4, no_bias>, BatchNorm2d<"channel=32">,
               ReLU, ConvTranspose2d<"channel=32", "channel=16", 3, twice>,
               BatchNorm2d<"channel=16">, ReLU,
               ConvTranspose2d<"channel=16", "channel=8", 4, twice>, BatchNorm2d<"channel=8">, ReLU,
               ConvTranspose2d<"channel=8", "channel=1", 4, twice>, Tanh>;

using Discriminator =
    Sequential<Conv2d<"channel=1", "channel=8", 4, half>, LeakyReLU,
               Conv2d<"channel=8", "channel=16", 4, half>, BatchNorm2d<"channel=16">, LeakyReLU,
               Conv2d<"channel=16", "channel=32", 4, half>, BatchNorm2d<"channel=32">, LeakyReLU,
               Conv2d<"channel=32", "channel=1", 3, ConvOptions{.bias = false}>, Sigmoid,
               Flatten<"batch channel height width -> batch">>;

int main() {
  constexpr std::int64_t batch_size = 16;
  auto generator = init::normal<Generator>(Key{1}, 0.1);
  auto discriminator = init::normal<Discriminator>(Key{2}, 0.1);
  std::get<1>(discriminator).negative_slope = 0.2;
  std::get<4>(discriminator).negative_slope = 0.2;
  std::get<7>(discriminator).negative_slope = 0.2;
  Adam const adam{.rate = 2e-3, .beta1 = 0.5};
  auto of_generator = adam.init(generator);
  auto of_discriminator = adam.init(discriminator);

  // The discriminator sees the images of the data and those of the generator.
  auto const discern = [](Discriminator const& d, std::pair<Images, Images> const& images) {
    auto const [real, next] = d(images.first, Training{});
    auto [fake, last] = next(images.second, Training{});
    auto const loss = binary_cross_entropy(real, full_like(real, 0.9f)) +
                      binary_cross_entropy(fake, zeros_like(fake));
    return std::pair(eval(loss), std::move(last));
  };
  // The generator is better where the discriminator takes its images for those of the data.
  auto const deceive = [&](Generator const& g, Noise const& noise) {
    auto [images, next] = g(noise, Training{});
    auto const fake = discriminator(images, Training{}).first;
    return std::pair(eval(binary_cross_entropy(fake, ones_like(fake))), std::move(next));
  };

  auto const of_data = networks::draw_digits(Key{3}, 200).image;
  float const mean_of_data = eval(mean(of_data)).item() * 2 - 1;
  auto const brightness = [&] { return eval(mean(generator(normal<Noise>(Key{4}, 64)))).item(); };
  float const before = brightness();
  for (int step = 0; step < 200; ++step) {
    auto const key = fold_in(Key{5}, step);
    Images const real = networks::draw_digits(key, batch_size).image * 2 - 1;
    auto const noise = normal<Noise>(key, batch_size);
    auto const fake = generator(noise, Training{}).first;
    auto const d =
        training::train_step(discriminator, std::pair(real, fake), discern, adam, of_discriminator);
    auto const g = training::train_step(generator, noise, deceive, adam, of_generator);
    if (step % 40 == 39)
      std::printf("step %3d: loss of the discriminator %.3f, of the generator %.3f\n", step + 1,
                  d.loss, g.loss);
  }
  float const after = brightness();
  std::printf("mean of the images: %.3f before, %.3f after, %.3f of the data\n", double(before),
              double(after), double(mean_of_data));
  return std::abs(after - mean_of_data) < 0.5f * std::abs(before - mean_of_data) ? 0 : 1;
}
