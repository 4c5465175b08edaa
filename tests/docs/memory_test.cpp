// The code that docs/memory.md shows, and that its figures are in these proportions.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/nn.hpp>
#include <tenon/train/inspect.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/precision.hpp>

namespace docs_memory {
namespace {

using namespace tenon;
using namespace tenon::training;

template <class T, class Checkpointed = std::false_type>
struct Encoder {
  std::array<TransformerEncoderLayer<"embed=64", 4, "hidden=256", op::Gelu, T>, 4> blocks;

  auto operator()(Float<"batch t embed=64"> auto const& tokens) const
      -> Tensor<T, "batch t embed=64"> {
    Tensor<T, "batch t embed=64"> x = tokens;
    for (auto const& block : blocks) {
      auto const run = [](auto const& b, auto const& y) { return b(y, is_causal); };
      if constexpr (Checkpointed::value) x = checkpoint(run)(block, x);
      else x = run(block, x);
    }
    return x;
  }
};

using Batch = Float32<"batch t embed=64">;

auto const loss = [](auto const& model, Batch const& batch) {
  return mean(square(to<float>(model(batch))));
};

/// The memory of a training: between steps, and at the peak of one.
struct Figures {
  double between, peak;
};

double megabytes(std::int64_t bytes) { return static_cast<double>(bytes) / 1e6; }

template <class Model, class Optimizer, class Step>
Figures measured(Optimizer const& optimizer, Step const& step) {
  memory::empty_cache();
  auto const before = memory_statistics().bytes_in_use;
  auto model = init::normal<Model>(Key{1}, 0.02f);
  auto state = optimizer.init(model);
  Batch const batch = tenon::normal<Batch>(Key{2}, 8, 64);
  step(model, batch, state);
  reset_peak_memory();
  step(model, batch, state);
  auto const after = memory_statistics();
  return {megabytes(after.bytes_in_use - before), megabytes(after.peak_bytes_in_use - before)};
}

template <class Model, class Optimizer>
Figures of_steps(Optimizer const& optimizer, StepOptions const& options = {}) {
  return measured<Model>(optimizer, [&](auto& model, Batch const& batch, auto& state) {
    train_step(model, batch, loss, optimizer, state, options);
  });
}

Figures in_bfloat16() {
  Precision<> precision;
  return measured<Encoder<float>>(AdamW{}, [&](auto& model, Batch const& batch, auto& state) {
    train_step(model, batch, loss, AdamW{}, state, precision);
  });
}

}  // namespace

TEST_CASE("what a step needs, in megabytes") {
  Figures const plain = of_steps<Encoder<float>>(AdamW{});
  Figures const sgd = of_steps<Encoder<float>>(SGD{});
  Figures const parts = of_steps<Encoder<float>>(AdamW{}, {.accumulate = 4});
  Figures const again = of_steps<Encoder<float, std::true_type>>(AdamW{});
  Figures const halves = in_bfloat16();
  double const parameters = megabytes(summary(Encoder<float>()).bytes);
  CHECK(plain.between == doctest::Approx(3 * parameters).epsilon(0.1));
  CHECK(sgd.between == doctest::Approx(2 * parameters).epsilon(0.1));
  CHECK(parts.between == plain.between);
  CHECK(again.between == plain.between);
  CHECK(halves.between == plain.between);
  CHECK(sgd.peak < plain.peak);
  CHECK(parts.peak < plain.peak / 2);
  CHECK(again.peak < plain.peak / 2);
  CHECK(halves.peak < plain.peak);
}

}  // namespace docs_memory
