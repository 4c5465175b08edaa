// A small U-Net finds ellipses in noisy images (Ronneberger et al., arXiv:1505.04597).
// test-long

#include <cstdio>
#include <tuple>

#include <tenon/nn.hpp>

using namespace tenon;

using Images = Float32<"batch channel=1 height=16 width=16">;
constexpr ConvOptions same{.padding = "same"};

/// Two convolutions, each with a norm of groups of channels and relu.
template <Spec In, Spec Out>
using DoubleConv = Sequential<Conv2d<In, Out, 3, same>, GroupNorm<Out, 2, "height width">, ReLU,
                              Conv2d<Out, Out, 3, same>, GroupNorm<Out, 2, "height width">, ReLU>;

struct UNet {
  DoubleConv<"channel=1", "channel=8"> down1;
  DoubleConv<"channel=8", "channel=16"> down2;
  DoubleConv<"channel=16", "channel=32"> bottom;
  ConvTranspose2d<"channel=32", "channel=16", 2, ConvTransposeOptions{.stride = 2}> up2;
  DoubleConv<"channel=32", "channel=16"> conv2;
  ConvTranspose2d<"channel=16", "channel=8", 2, ConvTransposeOptions{.stride = 2}> up1;
  DoubleConv<"channel=16", "channel=8"> conv1;
  Conv2d<"channel=8", "channel=1", 1> last;

  /// Logits: is a pixel in an ellipse.
  Images operator()(Images const& x) const {
    auto const h1 = down1(x);
    auto const h2 = down2(max_pool<"height width", 2>(h1));
    auto const h3 = bottom(max_pool<"height width", 2>(h2));
    auto const u2 = conv2(concat<"channel">(h2, up2(h3)));
    auto const u1 = conv1(concat<"channel">(h1, up1(u2)));
    return last(u1);
  }
};

struct Sample {
  Images image, mask;
};

Sample draw(Key const& key, std::int64_t count) {
  auto const [of_place, of_size, of_noise] = split<3>(key);
  auto const place = uniform<Float32<"2 batch 1 1 1">>(of_place, 4, 12, count);
  auto const size = uniform<Float32<"2 batch 1 1 1">>(of_size, 2, 5, count);
  auto const rows = iota<Float32<"height=16 1">>();
  auto const columns = iota<Float32<"width=16">>();
  auto const distance =
      square((rows - place[0]) / size[0]) + square((columns - place[1]) / size[1]);
  Images const mask = to<float>(distance < 1);
  return {mask + 0.5f * normal<Images>(of_noise, count), mask};
}

/// The intersection over the union.
float overlap(UNet const& net, Sample const& sample) {
  auto const found = eval(net(sample.image) > 0), wanted = eval(sample.mask > 0);
  return sum(to<float>(found & wanted)).item() / sum(to<float>(found | wanted)).item();
}

int main() {
  auto const unseen = draw(Key{1}, 64);
  auto net = init::kaiming_uniform<UNet>(Key{2});
  AdamW const adam{.rate = 1e-2};
  auto state = adam.init(net);
  float const before = overlap(net, unseen);
  for (int step = 0; step < 60; ++step) {
    auto const batch = draw(fold_in(Key{3}, step), 8);
    auto const [loss, gradients] = value_and_grad([&](UNet const& m) {
      return binary_cross_entropy_with_logits(m(batch.image), batch.mask);
    })(net);
    std::tie(net, state) = adam.step(net, gradients, state);
    if (step % 20 == 19) std::printf("step %d: loss %.4f\n", step + 1, double(loss.item()));
  }
  float const after = overlap(net, unseen);
  std::printf("overlap with the ellipses: %.3f, after training %.3f\n", double(before),
              double(after));
  return after > 0.7f ? 0 : 1;
}
