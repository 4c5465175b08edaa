// The training step of a small convolutional network without its optimizer: two convolutions, batch
// norm, two max poolings, a linear layer, cross-entropy, for 64 images of 28 x 28. Compared with
// libtorch, if CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include "compare.hpp"
#include "peers/torch_cnn.hpp"

using namespace tenon;

using Images = Float32<"batch=64 channel=1 height=28 width=28">;
using Labels = Int32<"batch=64">;
using Channels = Float32<"first=8">;
using Features = Float32<"batch=64 first=8 height=28 width=28">;

/// By the mean and variance of every channel.
auto batch_norm(Features const& x, Channels const& gamma, Channels const& beta) {
  auto const centred = x - mean<"batch height width">(x, keep);
  auto const scale = rsqrt(mean<"batch height width">(square(centred), keep) + 1e-5f);
  return centred * scale * gamma + beta;
}

struct Network {
  static constexpr Sliding padded{.padding = 1};

  Float32<"first=8 channel=1 height=3 width=3"> kernels;
  Channels gamma, beta;
  Float32<"second=16 first=8 height=3 width=3"> more_kernels;
  Float32<"second=16"> bias;
  Float32<"pixel=784 digit=10"> weight;
  Float32<"digit=10"> last_bias;

  auto operator()(Images const& images) const {
    Features const x = convolve<"height width", padded>(images, kernels);
    auto const y = eval(max_pool<"height width", 2>(relu(batch_norm(x, gamma, beta))));
    auto const z = convolve<"height width", padded>(y, more_kernels);
    auto const pooled = eval(max_pool<"height width", 2>(relu(z + bias)));
    return eval(matmul(rearrange<"batch c h w -> batch (c h w)">(pooled), weight) + last_bias);
  }
};

Labels some_labels() {
  auto labels = zeros<Labels>();
  for (int i = 0; i < 64; ++i) labels(i) = i * i * 37 % 10;
  return labels;
}

/// The elements of all leaves, one after the other.
std::vector<float> elements(Network const& model) {
  std::vector<float> all;
  tree::for_each([&](auto const& x) { all.insert(all.end(), x.data(), x.data() + x.size()); },
                 model);
  return all;
}

int main() {
  set_threads(1);
  bench::header();
  Images const images = normal<Images>(Key{1});
  auto const labels = some_labels();
  auto model = init::normal<Network>(Key{2}, 0.1);
  model.gamma = model.gamma + 1.0f;
  Network gradient = model;
  auto const forward = [&] { (void)eval(cross_entropy<"digit">(model(images), labels)); };
  auto const step = [&] {
    gradient =
        grad([&](Network const& m) { return cross_entropy<"digit">(m(images), labels); })(model);
  };
  if constexpr (torch_cnn::found) {
    std::vector<float> const leaves = elements(model);
    std::vector<float> peer(leaves.size());
    torch_cnn::Step const torch(images.data(), labels.data(), leaves.data());
    bench::line("CNN, forward", "libtorch", bench::speedup(forward, [&] { torch.forward(); }), 0);
    auto const speed = bench::compared(step, [&] { torch.step(peer.data()); });
    bench::line("CNN, step", "libtorch", speed.ratio,
                bench::difference(elements(gradient).data(), peer.data(), 8 * 9 + 16));
    std::printf("%.2f ms\n", speed.seconds * 1e3);
  } else {
    std::printf("CNN, forward %.2f ms, step %.2f ms\n", 1e3 * bench::seconds(forward),
                1e3 * bench::seconds(step));
  }
}
