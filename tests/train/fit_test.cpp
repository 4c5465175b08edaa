// The whole of a training run in one call: against its parts, stopped and continued.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tenon/nn.hpp>
#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>
#include <tenon/train/fit.hpp>
#include <tenon/train/lr_find.hpp>

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

/// The lines of a file without their times.
std::string metrics_of(std::filesystem::path const& folder) {
  std::istringstream lines(read_bytes(folder / "metrics.jsonl"));
  std::string line, kept;
  while (std::getline(lines, line)) kept += line.substr(line.find(", ")) + "\n";
  return kept;
}

TEST_CASE("a resumed run has the metrics, history and checkpoints of one without an interruption") {
  Folder const folder;
  auto const train = [&](std::string const& name, auto const& loss) {
    RunManager run(ConfigText{"seed = 2"}, "fit",
                   {.console = false, .folder = folder / name, .tensorboard = true});
    auto batches = loader();
    return fit(start(), batches, loss, AdamW{},
               {.epochs = 3,
                .schedule = rate,
                .evaluate = [](Model const& m) { return Metrics{.loss = m.bias(0) + 2.0}; },
                .checkpoint_every = 4,
                .run = &run,
                .progress = false});
  };
  auto const whole = train("whole", mean_square);
  for (int const call : {1, 3, 6, 7, 13, 18}) {
    CAPTURE(call);
    std::string const name = std::to_string(call);
    int calls = 0;
    auto const interrupted = [&](Model const& model, auto const& batch) {
      if (++calls == call) throw Error("power");
      return mean_square(model, batch);
    };
    CHECK_THROWS_WITH_AS(train(name, interrupted), "power", Error);
    auto const result = train(name, mean_square);
    REQUIRE(result.epochs.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(result.epochs[i].loss == whole.epochs[i].loss);
      CHECK(result.epochs[i].step == whole.epochs[i].step);
      CHECK(result.epochs[i].rate == whole.epochs[i].rate);
      CHECK(result.epochs[i].evaluated_loss == whole.epochs[i].evaluated_loss);
      CHECK(!result.epochs[i].accuracy);
    }
    CHECK(metrics_of(folder / name) == metrics_of(folder / "whole"));
    for (std::string const file :
         {"checkpoints/checkpoint_step_018.safetensors", "checkpoints/best.safetensors", "loss.svg",
          "config_resolved.toml"})
      CHECK((read_bytes(folder / name / file) == read_bytes(folder / "whole" / file)));
  }
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

TEST_CASE("a learning rate is found, and the data are where they were") {
  Folder const folder;
  auto data = loader();
  data.next();
  auto const found = lr_find(start(), data, mean_square, SGD{}, {.start = 1e-4, .end = 1e4});
  CHECK(data.state().batch == 1);
  CHECK(data.state().epoch == 0);
  REQUIRE(found.suggestion);
  CHECK(*found.suggestion > 1e-3);
  CHECK(*found.suggestion < 1e2);
  CHECK(found.rates.size() == found.losses.size());
  CHECK(found.rates.size() < 100);  // it diverges
  CHECK(found.rates[1] / found.rates[0] == doctest::Approx(std::pow(1e8, 1.0 / 99)));
  found.draw(folder / "rates.svg");
  CHECK(read_bytes(folder / "rates.svg").find("learning rate") != std::string::npos);
}

TEST_CASE("the suggestion is the rate of the steepest fall") {
  auto const suggestion = [](auto const& loss_at) {
    internal::training::LRSweep sweep({.start = 1e-4, .end = 1, .steps = 41, .smoothing = 0});
    for (int step = 0; step < 41; ++step)
      if (!sweep.add(loss_at(step))) break;
    return std::move(sweep).result();
  };
  auto const found = suggestion(
      [](int step) { return step > 38 ? std::nan("") : 2 - std::tanh((step - 20) / 4.0); });
  CHECK(found.losses.size() == 39);
  CHECK(*found.suggestion == doctest::Approx(1e-2));
  CHECK_FALSE(suggestion([](int) { return 1.0; }).suggestion);
  CHECK(suggestion([](int step) { return step < 35 ? 1.0 : 4.5; }).losses.size() == 36);
}

TEST_CASE("rates that make no sense are refused") {
  using Finder = LRFindOptions;
  struct {
    Finder options;
    char const* words;
  } const cases[] = {
      {{.start = 0}, "'start': expected a positive number, got 0.000000"},
      {{.start = 1, .end = 1}, "'end': expected a finite number above the start, got 1.000000"},
      {{.steps = 1}, "'steps': expected at least 2, got 1.000000"},
      {{.smoothing = 1}, "'smoothing': expected a number from 0 to less than 1, got 1.000000"},
      {{.divergence = 1}, "'divergence': expected a number above 1, got 1.000000"}};
  for (auto const& [options, words] : cases)
    CHECK(words_of<ValueError>([&, &how = options] { internal::training::LRSweep sweep(how); }) ==
          std::string("tenon::lr_find: ") + words);
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
  CHECK(lr_find(init::kaiming_uniform<Normed>(Key(4)), batches, loss, AdamW{}).suggestion);
}

}  // namespace fit_test
