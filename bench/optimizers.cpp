// A step of AdamW over a model of a hundred small leaves, of 64 to 512 elements as biases and the
// scales of normalisations have, and over one of 2^18 elements. Compared with libtorch's fused
// AdamW, if CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <vector>

#include "compare.hpp"
#include "peers/torch_optimizers.hpp"

using namespace tenon;

using Leaf = Float32<"n">;
using Model = std::vector<Leaf>;

Model model_of(std::vector<std::int64_t> const& sizes, std::uint64_t seed) {
  Model model;
  for (std::int64_t const size : sizes) model.push_back(normal<Leaf>(Key{seed++}, size));
  return model;
}

struct Training {
  std::vector<std::int64_t> sizes;
  Model gradients = model_of(sizes, 1), model = model_of(sizes, 1000);
  AdamW adam{};
  AdamWState<Model> state = adam.init(model);

  void step() { std::tie(model, state) = adam.step(std::move(model), gradients, std::move(state)); }
};

std::vector<float> elements(Model const& model) {
  std::vector<float> all;
  for (Leaf const& x : model) all.insert(all.end(), x.data(), x.data() + x.size());
  return all;
}

/// Beside libtorch. (A template: without it this is not compiled.)
template <class Peer>
void compare(char const* work, std::vector<std::int64_t> const& sizes) {
  Training training{sizes};
  std::vector<float> const first = elements(training.model), slope = elements(training.gradients);
  Peer const peer(sizes, first.data(), slope.data());
  training.step(), peer.step();
  std::vector<float> const ours = elements(training.model), theirs = peer.elements();
  double const differs = bench::difference(ours.data(), theirs.data(), std::int64_t(ours.size()));
  auto const pair = bench::compared([&] { training.step(); }, [&] { peer.step(); });
  bench::line(work, "libtorch, fused", pair.ratio, differs);
  std::printf("%.2f us, %.0f ns a leaf\n", pair.seconds * 1e6,
              pair.seconds * 1e9 / double(sizes.size()));
}

void alone(char const* work, std::vector<std::int64_t> const& sizes) {
  Training training{sizes};
  std::printf("%s: %.2f us\n", work, 1e6 * bench::seconds([&] { training.step(); }));
}

int main() {
  set_threads(1);
  std::vector<std::int64_t> small;
  for (std::int64_t i = 0; i < 100; ++i) small.push_back(64 + i * 37 % 449);
  auto const run = [](char const* work, std::vector<std::int64_t> const& sizes) {
    if constexpr (torch_optimizers::found) compare<torch_optimizers::AdamW>(work, sizes);
    else alone(work, sizes);
  };
  bench::header();
  run("AdamW, 100 leaves of 64 to 512", small);
  run("AdamW, a leaf of 262144", {1 << 18});
}
