// A variational autoencoder of digits (Kingma and Welling, arXiv:1312.6114).
//   example_networks_vae FOLDER   the files of MNIST, decompressed, or of draw_digits.py
// test-input: draw_digits.py
// test-long

#include <cstdio>
#include <tuple>
#include <utility>

#include <tenon/nn.hpp>
#include <tenon/optim.hpp>

#include <tenon/train/data/mnist.hpp>

using namespace tenon;

using Images = Float32<"batch pixel=784">;
using Code = Float32<"batch code=8">;

struct VAE {
  Linear<"pixel=784", "hidden=64"> fc1;
  Linear<"hidden=64", "code=8"> fc21, fc22;
  Linear<"code=8", "hidden=64"> fc3;
  Linear<"hidden=64", "pixel=784"> fc4;

  /// The mean and the logarithm of the variance of the code.
  std::pair<Code, Code> encode(Images const& x) const {
    auto const h = eval(relu(fc1(x)));
    return {fc21(h), fc22(h)};
  }
  /// Logits of the pixels.
  Images decode(Code const& z) const { return fc4(relu(fc3(z))); }
};

/// The negative evidence lower bound of an image.
auto loss_of(VAE const& vae, Images const& x, Key const& key) {
  auto const [mu, logvar] = vae.encode(x);
  auto const z = eval(mu + exp(0.5f * logvar) * normal<Code>(key, size<"batch">(x)));
  auto const reconstruction = binary_cross_entropy_with_logits<op::sum>(vae.decode(z), x);
  auto const divergence = -0.5f * sum(1 + logvar - square(mu) - exp(logvar));
  return eval((reconstruction + divergence) / static_cast<float>(size<"batch">(x)));
}

int main(int argc, char** argv) {
  auto const digits = training::load_mnist(argc < 2 ? "data" : argv[1], "train");
  Images const images = to<float>(flatten<"channel height width -> pixel">(digits.image) > 0.4f);
  auto vae = init::xavier_uniform<VAE>(Key{2});
  Adam const adam{.rate = 2e-3};
  auto state = adam.init(vae);
  float first = 0, last = 0;
  for (int step = 0; step < 200; ++step) {
    auto const key = fold_in(Key{3}, step);
    Images const batch = slice<"batch", 50>(images, step % 20 * 50);
    auto const [loss, gradients] =
        value_and_grad([&](VAE const& model) { return loss_of(model, batch, key); })(vae);
    std::tie(vae, state) = adam.step(vae, gradients, state);
    (step == 0 ? first : last) = loss.item();
    if (step % 50 == 49) std::printf("step %3d: loss %.2f\n", step + 1, double(last));
  }
  auto const sample = sigmoid(vae.decode(normal<Code>(Key{4}, 1)));
  for (std::int64_t y = 0; y < 28; y += 2, std::puts(""))
    for (std::int64_t x = 0; x < 28; ++x) std::putchar(" .:+#@"[int(5.9f * sample(0, y * 28 + x))]);
  return last < 0.5f * first ? 0 : 1;
}
