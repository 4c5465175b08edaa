// The code that docs/training.md shows.

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints.hpp>
#include <tenon/train/data.hpp>
#include <tenon/train/fit.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/lr_find.hpp>
#include <tenon/train/main.hpp>
#include <tenon/train/stop.hpp>

#include "../io/folder.hpp"

namespace docs_training {
namespace {

using namespace tenon;

struct Classifier {
  Linear<"feature=2", "hidden=16"> up;
  Linear<"hidden=16", "class=2"> down;

  auto operator()(Float<"batch feature=2"> auto const& x) const { return down(relu(up(x))); }
};

struct Batch {
  Float32<"batch feature=2"> x;
  Int32<"batch"> label;
};

struct State {  // what a checkpoint saves
  Classifier model;
  AdamWState<Classifier> optimizer;
  training::EarlyStoppingState early{};
  Key key{42};
  std::int64_t epoch = 0;
};

auto loss_of(Classifier const& model, Batch const& batch) {
  return cross_entropy<"class">(model(batch.x), batch.label);
}

training::Metrics measure(Classifier const& model, Batch const& batch) {
  auto const scores = eval(model(batch.x));
  return {.loss = static_cast<double>(eval(cross_entropy<"class">(scores, batch.label)).item()),
          .accuracy = training::accuracy<"class">(scores, batch.label)};
}

/// Points with the label of their half plane.
std::vector<Batch> batches_of(Key const& key) {
  std::vector<Batch> batches;
  for (std::int64_t const size : {32, 32, 16}) {
    Batch batch{normal<Float32<"batch feature=2">>(fold_in(key, batches.size()), size), {}};
    batch.label = to<std::int32_t>(sum<"feature">(batch.x) > 0);
    batches.push_back(batch);
  }
  return batches;
}

State new_state() {
  State state{.model = init::normal<Classifier>(Key{1}, 0.5f), .optimizer = {}};
  state.optimizer = AdamW{}.init(state.model);
  return state;
}

bool train(std::filesystem::path const& folder, std::string const& resume = {}) {
  State state = new_state();
  training::CheckpointManager checkpoints(folder, {.keep = 2});
  if (!resume.empty()) state = checkpoints.load(resume, state);  // "latest", "best" or a path

  auto const validation = batches_of(Key{7});
  AdamW const adam{.rate = 1e-2};
  training::EarlyStopping const stopping{.patience = 5};

  auto const epoch = [&](State& now) {
    auto const step = [&](Batch const& batch) {
      return training::train_step(now.model, batch, loss_of, adam, now.optimizer,
                                  {.clip_norm = 1.0});
    };
    training::train_epoch(batches_of(fold_in(now.key, now.epoch)), step);
    auto const metrics = training::evaluate(now.model, validation, measure);
    return stopping.update(now.early, metrics.loss);  // true: the best so far
  };

  training::StopRequest const stop;  // Ctrl-C leaves a checkpoint
  return training::train_until(
      state,
      {.counter = &State::epoch,
       .end = 10,
       .is_over = [&](State const& now) { return stopping.should_stop(now.early); }},
      checkpoints, stop, epoch);
}

TEST_CASE("a classifier is trained, with checkpoints") {
  Folder const folder;
  CHECK(train(folder / "run"));
  training::CheckpointManager const checkpoints(folder / "run");
  CHECK(checkpoints.latest()->filename() == "checkpoint_epoch_010.safetensors");
  auto const best = checkpoints.load("best", new_state());
  CHECK(training::evaluate(best.model, batches_of(Key{8}), measure).accuracy > 0.9);
  auto const before = read_bytes(*checkpoints.latest());
  CHECK(train(folder / "run", "latest"));
  CHECK(train(folder / "run", "checkpoint_epoch_009.safetensors"));
  CHECK(read_bytes(*checkpoints.latest()) == before);
}

struct Scores {
  double loss;
  double largest;
  std::int64_t count;
};

TEST_CASE("own metrics, accumulation and no clipping") {
  State state = new_state();
  auto const batch = batches_of(Key{3}).front();
  AdamW const adam{};
  auto const result =
      training::train_step(state.model, batch, loss_of, adam, state.optimizer,
                           {.clip_norm = training::no_clipping, .accumulate = 4, .rate = 1e-4});
  CHECK(result.loss > 0);
  CHECK(result.gradient_norm > 0);
  auto const scores =
      training::evaluate(state.model, batches_of(Key{3}), [](auto const& model, auto const& x) {
        auto const out = eval(model(x.x));
        return Scores{
            .loss = static_cast<double>(eval(cross_entropy<"class">(out, x.label)).item()),
            .largest = static_cast<double>(eval(max(out)).item()),
            .count = x.label.size()};
      });
  CHECK(scores.count == 80);
}

auto fitted(std::filesystem::path const& folder, Float32<"sample feature=2"> const& x,
            Int32<"sample"> const& labels) {
  auto batches = training::data_loader<"batch">(training::tensor_dataset(x, labels),
                                                {.batch_size = 32, .shuffle = true});
  auto const loss = [](Classifier const& model, auto const& batch) {
    auto const& [points, classes] = batch;
    return cross_entropy<"class">(model(points), classes);
  };
  auto const evaluate = [](Classifier const& model) {
    return training::evaluate(model, batches_of(Key{7}), measure);
  };
  return training::fit(new_state().model, batches, loss, AdamW{},
                       {.epochs = 10,
                        .schedule = WarmupCosine{.peak = 1e-2, .steps = 30},
                        .evaluate = evaluate,
                        .early_stopping = training::EarlyStopping{.patience = 5},
                        .checkpoints = folder});
}

TEST_CASE("a run in one call") {
  Folder const folder;
  auto const x = normal<Float32<"sample feature=2">>(Key{1}, 96);
  Int32<"sample"> const labels = to<std::int32_t>(sum<"feature">(x) > 0);
  auto const result = fitted(folder / "", x, labels);
  CHECK(result.is_over);
  CHECK(*result.epochs.back().accuracy > 0.9);
}

TEST_CASE("a learning rate is found") {
  Folder const folder;
  auto const x = normal<Float32<"sample feature=2">>(Key{1}, 96);
  Int32<"sample"> const labels = to<std::int32_t>(sum<"feature">(x) > 0);
  auto batches =
      training::data_loader<"batch">(training::tensor_dataset(x, labels), {.batch_size = 32});
  auto const loss = [](Classifier const& model, auto const& batch) {
    return cross_entropy<"class">(model(std::get<0>(batch)), std::get<1>(batch));
  };
  auto const found = training::lr_find(new_state().model, batches, loss, AdamW{});
  found.draw(folder / "rates.svg");
  double const suggested = found.suggestion.value_or(1e-3);
  CHECK(suggested > 1e-4);
}

auto masked_loss(Classifier const& model, Batch const& batch) {
  Float32<"batch"> const mask = to<float>(batch.label >= 0);  // -1: no label
  auto const labels = eval(maximum(batch.label, 0));
  auto const losses = cross_entropy<"class", op::none>(model(batch.x), labels);
  return training::LossSum{sum(losses * mask), sum(mask)};
}

TEST_CASE("a loss with the weight of its labels") {
  State state = new_state();
  auto batch = batches_of(Key{3}).front();
  batch.label(0) = -1;
  AdamW const adam{};
  auto const masked = training::train_step(state.model, batch, masked_loss, adam, state.optimizer,
                                           {.accumulate = 2});
  CHECK(masked.weight == static_cast<double>(training::batch_size<"batch">(batch) - 1));
}

int main_of_program(int argc, char** argv) {
  return training::main(argc, argv, [] { return train("run", "latest"); });
}

TEST_CASE("an exception ends a program with a code") {
  Folder const folder;
  auto const before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  char name[] = "train";
  char* arguments[] = {name, nullptr};
  CHECK(main_of_program(1, arguments) == 1);
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace docs_training
