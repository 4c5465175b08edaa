// A step of AdamW, and of a small GPT, on the CUDA device.
#include "timing.hpp"

#include <tenon/eval/capture.hpp>
#include <tenon/nn.hpp>

using namespace gpu;

void adamw() {
  using Weights = Float32<"n", Cuda>;
  std::int64_t const n = size_of(1 << 25, 1000);
  auto weights = normal<Weights>(Key{1}, n);
  auto const gradient = normal<Weights>(Key{2}, n);
  AdamW const adam{.rate = 1e-3};
  auto state = adam.init(weights);
  time("adamw", 28.0 * double(n), 0, [&] {
    std::tie(weights, state) = adam.step(std::move(weights), gradient, std::move(state));
  });
}

struct Gpt {
  Embedding<"word=256", "embed=128", float, Cuda> words;
  Embedding<"place=64", "embed=128", float, Cuda> places;
  std::array<TransformerEncoderLayer<"embed=128", 4, "hidden=512", op::Gelu, float, Cuda>, 4>
      blocks;
  LayerNorm<"embed=128", float, Cuda> norm;
  Linear<"embed=128", "word=256", float, Cuda> head;

  auto operator()(Int<"batch t"> auto const& tokens) const -> Float32<"batch t word=256", Cuda> {
    auto const place = iota<Int32<"t", Cuda>>(size<"t">(tokens));
    Float32<"batch t embed=128", Cuda> x = words(tokens) + places(place);
    for (auto const& block : blocks) x = block(x, is_causal);
    return head(norm(x));
  }
};

void gpt() {
  std::int64_t const batch = size_of(32, 1), length = size_of(64, 5);
  auto const tokens = to<Cuda>(uniform<Int32<"batch t">>(Key{1}, 0, 256, batch, length));
  auto const answers = eval((tokens * 5 + 1) % 256);
  auto model = init::gpt2<Gpt>(Key{2}, 4);
  for (auto& block : model.blocks) block.norm_first = true;
  AdamW const adam{.rate = 1e-3};
  auto state = adam.init(model);
  double const all = double(batch * length);
  double const operations =
      6 * all * (4 * 12 * 128 * 128 + 128 * 256) + 4 * 12.0 * all * double(length) * 128;
  auto const step = [=](Gpt const& m, auto const& s) {
    auto const [loss, gradients] = value_and_grad(
        [&](Gpt const& weights) { return cross_entropy<"word">(weights(tokens), answers); })(m);
    return adam.step(m, gradients, s);
  };
  time("gpt_step", 0, operations, [&] { std::tie(model, state) = step(model, state); });
  auto captured = capture<Cuda>(step);
  time("gpt_step,captured", 0, operations,
       [&] { std::tie(model, state) = captured(model, state); });
}

int main() { return attempt("adamw", adamw) + attempt("gpt", gpt); }
