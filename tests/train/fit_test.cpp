// The whole of a training run in one call: against its parts, stopped and continued.

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenon/nn.hpp>
#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>
#include <tenon/train/fit.hpp>

#include "../io/folder.hpp"

namespace fit_test {

using namespace tenon;
using namespace tenon::training;

namespace {

using Rows = Float32<"batch in=2">;
using Targets = Float32<"batch out=1">;
using Model = Linear<"in=2", "out=1">;

auto const mean_square = [](Model const& model, auto const& batch) {
  auto const& [x, y] = batch;
  return mean(square(model(x) - y));
};

/// y = x0 - 2 x1 + 1.
auto dataset() {
  auto const x = normal<Float32<"sample in=2">>(Key(1), 22);
  Float32<"in=2 out=1"> const slopes{{1}, {-2}};
  return tensor_dataset(x, eval(matmul(x, slopes) + 1.0f));
}
auto loader() {
  return data_loader<"batch">(dataset(), {.batch_size = 4, .shuffle = true, .key = Key(2)});
}
Model start() { return init::normal<Model>(Key(3), 0.1); }
auto const rate = [](std::int64_t step) { return 0.1 / (1 + 0.01 * static_cast<double>(step)); };

}  // namespace

TEST_CASE("fit does what its parts do") {
  auto batches = loader();
  auto const result = fit(start(), batches, mean_square, SGD{.momentum = 0.5},
                          {.epochs = 3, .schedule = rate, .progress = false});
  auto model = start();
  SGD const sgd{.momentum = 0.5};
  auto state = sgd.init(model);
  auto again = loader();
  std::int64_t step = 0;
  EpochResult epoch;
  for (int e = 0; e < 3; ++e)
    epoch = train_epoch(again, [&](auto const& batch) {
      return train_step(model, batch, mean_square, sgd, state,
                        {.clip_norm = no_clipping, .rate = rate(step++)});
    });
  CHECK(all(result.state.model.weight == model.weight).item());
  CHECK(result.is_over);
  CHECK(result.state.step == 18);
  REQUIRE(result.epochs.size() == 3);
  CHECK(result.epochs[2].loss == doctest::Approx(epoch.loss));
  CHECK(result.epochs[2].rate == rate(17));
  CHECK(result.epochs[2].loss < result.epochs[0].loss);
}

TEST_CASE("fit that was stopped continues to the same model") {
  Folder const folder;
  auto whole_batches = loader(), batches = loader(), rest = loader();
  auto const whole =
      fit(start(), whole_batches, mean_square, AdamW{}, {.epochs = 2, .progress = false});
  int steps = 0;
  auto const interrupted = [&](Model const& model, auto const& batch) {
    if (++steps == 5) throw Error("power");
    return mean_square(model, batch);
  };
  FitOptions<Model> options{.epochs = 2, .checkpoint_every = 2, .progress = false};
  options.checkpoints = folder / "";
  CHECK_THROWS_WITH_AS(fit(start(), batches, interrupted, AdamW{}, options), "power", Error);
  auto const result = fit(start(), rest, mean_square, AdamW{}, options);
  CHECK(all(result.state.model.weight == whole.state.model.weight).item());
  CHECK(result.epochs[0].loss == doctest::Approx(whole.epochs[0].loss));
  CHECK(result.epochs.size() == 2);
}

TEST_CASE("fit evaluates, stops early, and writes metrics and checkpoints") {
  Folder const folder;
  RunManager run(ConfigText{}, "fit", {.parent = folder / "", .console = false});
  auto batches = loader();
  int calls = 0;
  auto const evaluated = [&](Model const&) {
    ++calls;
    return Metrics{.loss = calls < 3 ? 1.0 / calls : 1.0};
  };
  auto const result = fit(start(), batches, mean_square, AdamW{},
                          {.epochs = 50,
                           .evaluate = evaluated,
                           .early_stopping = EarlyStopping{.patience = 2},
                           .run = &run,
                           .progress = false});
  CHECK(result.epochs.size() == 4);
  CHECK(result.is_over);
  CHECK(*result.epochs[3].evaluated_loss == 1);
  CHECK(!result.epochs[3].accuracy);
  CHECK(load_metadata(run.checkpoints() / "best.safetensors").at("step") == "12");
  std::string const lines = read_bytes(run.folder() / "metrics.jsonl");
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 4);
  CHECK(lines.find("\"evaluated_loss\": 0.5") != std::string::npos);
}

TEST_CASE("a loss of fit may take a key, and return the model with running statistics") {
  using Normed = Sequential<BatchNorm<"in=2">, Dropout, Linear<"in=2", "out=1">>;
  auto const loss = [](Normed const& model, auto const& batch, Key const& key) {
    auto const& [x, y] = batch;
    auto [scores, next] = model(x, Training{}, key);
    return std::pair(eval(mean(square(scores - y))), std::move(next));
  };
  auto batches = loader();
  auto const result = fit(init::kaiming_uniform<Normed>(Key(4)), batches, loss, AdamW{},
                          {.epochs = 2, .progress = false, .key = Key(5)});
  auto const& norm = std::get<0>(result.state.model);
  CHECK(norm.num_batches_tracked == 12);
  CHECK(!all(*norm.running_mean == 0.0f).item());
  CHECK(!all(norm.weight == 1.0f).item());
}

}  // namespace fit_test
