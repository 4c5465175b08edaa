// A generator learns to draw digits that a discriminator does not tell from those of the data: a
// deep convolutional generative adversarial network (Radford et al., arXiv:1511.06434).
//   example_networks_dcgan FOLDER   the files of MNIST, decompressed, or of draw_digits.py
// test-input: draw_digits.py
// test-long

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <tenon/nn.hpp>
#include <tenon/optim.hpp>

#include <tenon/train/data/mnist.hpp>
#include <tenon/train/loop.hpp>

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

/// The discriminator sees images of the data and of the generator.
auto discern(Discriminator const& d, std::pair<Images, Images> const& images) {
  auto const [real, next] = d(images.first, Training{});
  auto [fake, last] = next(images.second, Training{});
  auto const loss = binary_cross_entropy(real, full_like(real, 0.9f)) +
                    binary_cross_entropy(fake, zeros_like(fake));
  return std::pair(eval(loss), std::move(last));
}

/// The generator improves where the discriminator takes its images for those of the data.
auto deceive(Generator const& g, Noise const& noise, Discriminator const& d) {
  auto [images, next] = g(noise, Training{});
  auto const fake = d(images, Training{}).first;
  return std::pair(eval(binary_cross_entropy(fake, ones_like(fake))), std::move(next));
}

Discriminator new_discriminator() {
  auto d = init::normal<Discriminator>(Key{2}, 0.1);
  std::get<1>(d).negative_slope = 0.2;
  std::get<4>(d).negative_slope = 0.2;
  std::get<7>(d).negative_slope = 0.2;
  return d;
}

struct GAN {
  Generator generator = init::normal<Generator>(Key{1}, 0.1);
  Discriminator discriminator = new_discriminator();
  Adam adam{.rate = 2e-3, .beta1 = 0.5};
  AdamState<Generator> of_generator = adam.init(generator);
  AdamState<Discriminator> of_discriminator = adam.init(discriminator);

  /// The losses of both.
  std::pair<double, double> step(Images const& real, Noise const& noise) {
    auto const fake = generator(noise, Training{}).first;
    auto const d =
        training::train_step(discriminator, std::pair(real, fake), discern, adam, of_discriminator);
    auto const loss = [&](Generator const& g, Noise const& z) {
      return deceive(g, z, discriminator);
    };
    return {d.loss, training::train_step(generator, noise, loss, adam, of_generator).loss};
  }
  float brightness() const { return eval(mean(generator(normal<Noise>(Key{4}, 64)))).item(); }
};

int main(int argc, char** argv) {
  Images const data = training::load_mnist(argc < 2 ? "data" : argv[1], "train").image * 2 - 1;
  GAN gan;
  float const wanted = mean(data).item();
  float const before = gan.brightness();
  for (int step = 1; step <= 200; ++step) {
    Images const real = slice<"batch", 16>(data, step % 90 * 16);
    auto const noise = normal<Noise>(fold_in(Key{5}, step), 16);
    auto const [of_discriminator, of_generator] = gan.step(real, noise);
    if (step % 40 == 0)
      std::printf("step %3d: loss of the discriminator %.3f, of the generator %.3f\n", step,
                  of_discriminator, of_generator);
  }
  float const after = gan.brightness();
  std::printf("mean of the images: %.3f before, %.3f after, %.3f of the data\n", double(before),
              double(after), double(wanted));
  return std::abs(after - wanted) < 0.5f * std::abs(before - wanted) ? 0 : 1;
}
