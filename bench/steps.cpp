// Whole training steps: a small network by SGD, a transformer block and attention alone forward and
// backward, a small GPT by AdamW. Compared with libtorch, if CMake found it, and with handwritten
// Eigen; and as fractions of the multiply-add rate of one thread. One thread.
//   bench_steps [mlp|block|gpt|attention ...]
#include <tenon/nn.hpp>
#include <tenon/random/random.hpp>

#include <string_view>

#include "eigen_mlp.hpp"
#include "limits.hpp"
#include "peers/torch_steps.hpp"

using namespace tenon;

// ---- The models
// ----------------------------------------------------------------------------------

struct Mlp {
  Linear<"pixel=784", "hidden=128"> first;
  Linear<"hidden=128", "digit=10"> second;

  auto operator()(Float<"batch pixel=784"> auto const& image) const {
    return second(relu(first(image)));
  }
};

using Block = TransformerEncoderLayer<"embed=256", 4, "hidden=1024", op::Gelu>;
using Stream = Float32<"batch t embed=256">;
struct BlockAndInput {
  Block block;
  Stream x;
};

struct Gpt {
  Embedding<"word=256", "embed=128"> words;
  Embedding<"place=64", "embed=128"> places;
  std::array<TransformerEncoderLayer<"embed=128", 4, "hidden=512", op::Gelu>, 4> blocks;
  LayerNorm<"embed=128"> norm;
  Linear<"embed=128", "word=256"> head;

  auto operator()(Int<"batch t"> auto const& tokens) const -> Float32<"batch t word=256"> {
    auto const place = iota<Int32<"t">>(size<"t">(tokens));
    Float32<"batch t embed=128"> x = words(tokens) + places(place);
    for (auto const& block : blocks) x = block(x, is_causal);
    return head(norm(x));
  }
};

/// Without values: GPT-2's blocks have the norms first.
Block first_block() {
  Block block;
  block.norm_first = true;
  return block;
}
Gpt first_gpt() {
  Gpt gpt;
  for (auto& block : gpt.blocks) block.norm_first = true;
  return gpt;
}

using Queries = Float32<"batch query head feature">;
using Keys = Float32<"batch key head feature">;
struct Heads {
  Queries query;
  Keys key, value;
};

// ---- The table ----------------------------------------------------------------------------------

template <class Model>
torch_steps::Leaves leaves_of(Model const& model) {
  return tenon::internal::tree::collect<float const*>([](auto const& leaf) { return leaf.data(); },
                                                      model);
}

/// The largest difference of any gradient, relative to the largest gradient. (That of the biases of
/// keys is zero except for rounding: they shift all scores of a row equally.)
template <class Model>
double difference(Model const& gradients, std::vector<std::vector<float>> const& others) {
  std::vector<float> ours, peers;
  tree::for_each([&](auto const& g) { ours.insert(ours.end(), g.data(), g.data() + g.size()); },
                 gradients);
  for (auto const& g : others) peers.insert(peers.end(), g.begin(), g.end());
  return bench::difference(ours.data(), peers.data(), static_cast<std::int64_t>(ours.size()));
}

struct Work {
  char const* name;
  double operations;  ///< Multiplications and additions in matmuls.
};

/// One line of the table. The machine's rate is measured in every round as well.
struct Turns {
  std::vector<double> times, shares, ratios;

  void take(double ours, double peer, double operations) {
    times.push_back(ours);
    shares.push_back(operations / ours / bench::multiply_add_rate<float>());
    ratios.push_back(peer / ours);
  }
  void print(Work const& work, char const* peer, double differs) const {
    std::printf("%-34s %-14s %9.0f %9.2f %8.2fx %9.1e\n", work.name, peer,
                bench::median(times) * 1e6, bench::median(shares), bench::median(ratios), differs);
    bench::figure(work.name, peer, bench::median(ratios));
  }
};

template <class Ours, class Peer>
void compare(Work const& work, char const* name, Ours const& ours, Peer const& peer,
             double differs) {
  Turns turns;
  for (int i = 0; i < 9; ++i)
    turns.take(bench::seconds(ours), bench::seconds(peer), work.operations);
  turns.print(work, name, differs);
}

void header() {
  std::printf("%-34s %-14s %9s %9s %9s %9s\n", "work", "peer", "us", "FMA rate", "speed",
              "differs");
}

/// Compared with libtorch: `ours()` returns the gradients of a step. Both have made a step before.
template <class Ours>
void beside_torch(Work const& work, Ours const& ours, torch_steps::Training const& peer) {
  peer.step();
  double const differs = difference(ours(), peer.gradients());
  compare(work, "libtorch", ours, peer.step, differs);
}

/// Without libtorch.
template <class Ours>
void alone(Work const& work, Ours const& ours) {
  compare(work, "none", ours, ours, 0);
}

template <class R>
R some_integers(std::int64_t below, auto... sizes) {
  auto all = zeros<R>(sizes...);
  for (std::int64_t i = 0; i < all.size(); ++i)
    all.own_memory()[i] = static_cast<std::int32_t>(i * i * 37 % below);
  return all;
}

// ---- The steps ----------------------------------------------------------------------------------

constexpr double rate = 1e-4;

/// A network and its training.
struct MlpTraining {
  Mlp model = init::normal<Mlp>(Key{1}, 0.05);
  SGD sgd{.rate = rate};
  SGDState<Mlp> state = sgd.init(model);

  auto step(Float32<"batch pixel=784"> const& images, Int32<"batch"> const& labels) {
    auto [loss, gradients] = value_and_grad(
        [&](Mlp const& m) { return cross_entropy<"digit">(m(images), labels); })(model);
    std::tie(model, state) = sgd.step(std::move(model), gradients, std::move(state));
    return gradients;
  }
};

void mlp() {
  torch_steps::MlpSizes const n{32, 784, 128, 10};
  Work const work{"MLP 784-128-10, batch 32, SGD",
                  2.0 * 32 * (2 * 784 * 128 + 3 * 128 * 10)};  // images get no gradient
  auto const images = normal<Float32<"batch pixel=784">>(Key{2}, n.batch);
  auto const labels = some_integers<Int32<"batch">>(n.out, n.batch);
  MlpTraining training;
  auto const leaves = leaves_of(training.model);
  bench::EigenMlp peer(leaves[0], leaves[1], leaves[2], leaves[3], n.in, n.hidden, n.out, n.batch);
  auto const torch = torch_steps::found
                         ? torch_steps::mlp(n, leaves, images.data(), labels.data(), rate)
                         : torch_steps::Training();
  auto const by_hand = [&] { peer.step(images.data(), labels.data(), float(rate)); };
  auto const ours = [&] { return training.step(images, labels); };
  if (torch_steps::found) beside_torch(work, ours, torch);
  MlpTraining fresh;
  by_hand();
  double const differs = bench::difference(fresh.step(images, labels).first.weight.data(),
                                           peer.dw1.data(), peer.dw1.size());
  compare(work, "Eigen by hand", ours, by_hand, differs);
}

/// Forward and backward of one block, with respect to its parameters and its input.
void block() {
  torch_steps::GptSizes const n{4, 128, 256, 4, 1, 0};
  Work const work{"GPT block, d 256, T 128, B 4",
                  6.0 * 512 * 12 * 256 * 256 + 12.0 * 4 * 128 * 128 * 256};
  BlockAndInput const at{init::normal(Key{1}, 0.05, first_block()),
                         normal<Stream>(Key{2}, n.batch, n.length)};
  auto const adjoint = normal<Stream>(Key{3}, n.batch, n.length);
  auto const ours = [&] {
    auto [y, pull] = vjp([](BlockAndInput const& b) { return b.block(b.x, is_causal); }, at);
    return pull(adjoint);
  };
  if (torch_steps::found)
    beside_torch(work, ours, torch_steps::block(n, leaves_of(at), adjoint.data()));
  else alone(work, ours);
}

struct GptTraining {
  Gpt model = init::gpt2(Key{1}, 4, first_gpt());
  AdamW adam{.rate = rate};
  AdamWState<Gpt> state = adam.init(model);

  auto step(Int32<"batch t"> const& tokens, Int32<"batch t"> const& answers) {
    auto [loss, gradients] = value_and_grad(
        [&](Gpt const& m) { return cross_entropy<"word">(m(tokens), answers); })(model);
    std::tie(model, state) = adam.step(std::move(model), gradients, std::move(state));
    return gradients;
  }
};

void gpt() {
  torch_steps::GptSizes const n{32, 64, 128, 4, 4, 256};
  Work const work{"GPT, 4 layers, d 128, T 64, B 32",
                  6.0 * 2048 * (4 * 12 * 128 * 128 + 128 * 256) + 4 * 12.0 * 32 * 64 * 64 * 128};
  auto const x = some_integers<Int32<"batch t">>(n.words, n.batch, n.length);
  Int32<"batch t"> const y = (x * 5 + 1) % 256;
  GptTraining training;
  auto const ours = [&] { return training.step(x, y); };
  if (torch_steps::found)
    beside_torch(work, ours,
                 torch_steps::gpt(n, leaves_of(training.model), x.data(), y.data(), rate));
  else alone(work, ours);
}

void attention(char const* name, std::int64_t batch, std::int64_t length) {
  torch_steps::GptSizes const n{batch, length, 768, 12, 0, 0};
  double const area = static_cast<double>(batch * length * length);
  Work const work{name, 12.0 * area * 768};
  Heads const at{normal<Queries>(Key{1}, batch, length, 12, 64),
                 normal<Keys>(Key{2}, batch, length, 12, 64),
                 normal<Keys>(Key{3}, batch, length, 12, 64)};
  auto const adjoint = normal<Queries>(Key{4}, batch, length, 12, 64);
  auto const ours = [&] {
    auto [y, pull] = vjp(
        [](Heads const& h) {
          return internal::attention_of<internal::MultiheadAttentionName, true>(h.query, h.key,
                                                                                h.value);
        },
        at);
    return pull(adjoint);
  };
  if (torch_steps::found)
    beside_torch(work, ours, torch_steps::attention(n, leaves_of(at), adjoint.data()));
  else alone(work, ours);
}

int main(int count, char** words) {
  set_threads(1);
  header();
  auto const asked = [&](std::string_view name) {
    return count == 1 || std::find(words + 1, words + count, name) != words + count;
  };
  if (asked("mlp")) mlp();
  if (asked("attention")) attention("attention, B 4, T 256, 12 x 64", 4, 256);
  if (asked("attention")) attention("attention, B 1, T 2048, 12 x 64", 1, 2048);
  if (asked("block")) block();
  if (asked("gpt")) gpt();
}
