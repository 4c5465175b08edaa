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

struct Training {
  Images images = normal<Images>(Key{1});
  Labels labels = some_labels();
  Network model = init::normal<Network>(Key{2}, 0.1), gradient = model;

  auto loss(Network const& m) const { return cross_entropy<"digit">(m(images), labels); }
  void forward() const { (void)eval(loss(model)); }
  void step() {
    gradient = grad([&](Network const& m) { return loss(m); })(model);
  }
};

/// Beside libtorch. (Inline: without it this is not compiled.)
inline void compare(Training& training) {
  std::vector<float> const leaves = elements(training.model);
  std::vector<float> peer(leaves.size());
  torch_cnn::Step const torch(training.images.data(), training.labels.data(), leaves.data());
  double const forward = bench::speedup([&] { training.forward(); }, [&] { torch.forward(); });
  bench::line("CNN, forward", "libtorch", forward, 0);
  auto const step = bench::compared([&] { training.step(); }, [&] { torch.step(peer.data()); });
  auto const ours = elements(training.gradient);
  bench::line("CNN, step", "libtorch", step.ratio,
              bench::difference(ours.data(), peer.data(), std::int64_t(peer.size())));
  std::printf("%.2f ms\n", step.seconds * 1e3);
}

int main() {
  set_threads(1);
  bench::header();
  Training training;
  if constexpr (torch_cnn::found) compare(training);
  else
    std::printf("CNN, forward %.2f ms, step %.2f ms\n",
                1e3 * bench::seconds([&] { training.forward(); }),
                1e3 * bench::seconds([&] { training.step(); }));
}
