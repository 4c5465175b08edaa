#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/expr/create/create.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/train/data/sampler.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/run.hpp>
#include <tenon/train/stop.hpp>

namespace tenon::training {

/// How `fit` trains.
template <class Model>
struct FitOptions {
  std::int64_t epochs = 1;
  StepOptions step{.clip_norm = no_clipping};       ///< Clipping, accumulation.
  std::function<double(std::int64_t)> schedule{};   ///< The learning rate of a step.
  std::function<Metrics(Model const&)> evaluate{};  ///< After each epoch.
  std::optional<EarlyStopping> early_stopping{};    ///< By the loss of `evaluate`.
  std::filesystem::path checkpoints{};              ///< A folder; none: that of `run`.
  CheckpointOptions checkpoint_options{.unit = "step"};
  std::int64_t checkpoint_every = 0;  ///< Steps; 0: an epoch.
  RunManager* run = nullptr;          ///< Its metrics, checkpoints, and loss.svg.
  bool progress = true;
  Key key{};  ///< Of a loss that takes one.
};

/// What an epoch of `fit` reports, a line of metrics.
struct FitEpoch {
  std::int64_t epoch = 0, step = 0;
  double loss = 0;  ///< The mean in training.
  std::optional<double> rate{}, evaluated_loss{}, accuracy{};
};

/// Of each epoch loss, rate, evaluated loss and accuracy; NaN: none.
using FitHistory = Float64<"epoch number=4">;

/// The state of `fit` between steps, a checkpoint.
template <class Model, class OptimizerState>
struct FitState {
  Model model;
  OptimizerState optimizer;
  DataState data{};
  EarlyStoppingState early{};
  std::int64_t step = 0;
  double loss_sum = 0, weight = 0;  ///< Of the epoch so far.
  FitHistory history{};
};

/// What `fit` returns.
template <class Model, class OptimizerState>
struct FitResult {
  FitState<Model, OptimizerState> state;
  std::vector<FitEpoch> epochs{};  ///< Those of the whole run, also before it was resumed.
  bool is_over = true;             ///< False where a signal stopped it.
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::FitEpoch;
using tenon::training::FitHistory;
using tenon::training::FitOptions;
using tenon::training::FitResult;
using tenon::training::FitState;
using tenon::training::RunManager;

/// In place of a manager where there are no checkpoints.
struct NoCheckpoints {
  static constexpr bool latest() { return true; }
  static constexpr void remove_after(std::int64_t) {}
  static void save(auto const&, std::int64_t, bool = false) {}
  static bool load_latest(auto const&) { return false; }
};

FitHistory history_of(std::vector<FitEpoch> const& epochs);
std::vector<FitEpoch> epochs_of(FitHistory const& history, std::int64_t batches);

/// Writes loss.svg, the losses of the epochs, into the folder of a run.
void draw_losses(RunManager const& run, std::vector<FitEpoch> const& epochs);

/// A step with a loss that may take a key.
template <class Model, class Batch, class Loss, class Optimizer, class State>
StepResult fit_step(Model& model, Batch const& batch, Loss const& loss, Optimizer const& optimizer,
                    State& state, StepOptions const& options, Key const& key) {
  if constexpr (CallableWith<Loss const&, Model const&, Batch const&, Key const&>) {
    auto const keyed = [&](Model const& now, Batch const& part) { return loss(now, part, key); };
    return train_step(model, batch, keyed, optimizer, state, options);
  } else {
    return train_step(model, batch, loss, optimizer, state, options);
  }
}

/// One call of `fit`.
template <class Model, class Loader, class Loss, class Optimizer>
struct Fit {
  using OptimizerState = decltype(std::declval<Optimizer const&>().init(std::declval<Model>()));
  using State = FitState<Model, OptimizerState>;

  Loader& loader;
  Loss const& loss;
  Optimizer const& optimizer;
  FitOptions<Model> const& options;
  FitResult<Model, OptimizerState> result;
  std::optional<tenon::training::Progress> progress{};

  template <class Checkpoints>
  void train(Checkpoints checkpoints) {
    State& state = result.state;
    if (checkpoints.load_latest(state)) loader.restore(state.data);
    result.epochs = epochs_of(state.history, loader.batches());
    if (options.run) options.run->remove_after(state.step);
    tenon::training::StopRequest const stop;
    std::int64_t const steps = options.epochs * loader.batches();
    std::int64_t const every = options.checkpoint_every;
    if (options.progress) progress.emplace(steps, shown_from(state.step));
    result.is_over =
        train_until(state,
                    {.counter = &State::step,
                     .end = steps,
                     .every = every > 0 ? every : (std::max)(loader.batches(), std::int64_t{1}),
                     .is_over = [this](State const& now) { return has_stopped_early(now); }},
                    checkpoints, stop, [this](State& now) { return step(now); });
  }

 private:
  static tenon::training::ProgressOptions shown_from(std::int64_t first) {
    tenon::training::ProgressOptions shown;
    shown.first = first;
    return shown;
  }

  bool has_stopped_early(State const& now) const {
    return options.early_stopping && options.early_stopping->should_stop(now.early);
  }

  /// A step; true after an epoch that is the best so far.
  bool step(State& now) {
    auto const batch = loader.next();
    StepOptions of_step = options.step;
    if (options.schedule) of_step.rate = options.schedule(now.step);
    Key const key = fold_in(options.key, now.step);
    StepResult const done =
        fit_step(now.model, batch, loss, optimizer, now.optimizer, of_step, key);
    double const weight = weight_of_step(done, find_batch_size(batch), batch);
    if (weight > 0) now.loss_sum += weight * done.loss, now.weight += weight;
    now.data = loader.state();
    if (progress) progress->step(now.step + 1, [&] { return "loss " + short_number(done.loss); });
    return now.data.batch == loader.batches() && end_epoch(now, of_step.rate);
  }

  bool end_epoch(State& now, std::optional<double> rate) {
    FitEpoch epoch{now.data.epoch + 1, now.step + 1, now.loss_sum / now.weight, rate};
    now.loss_sum = now.weight = 0;
    if (options.evaluate) {
      auto const found = options.evaluate(now.model);
      epoch.evaluated_loss = found.loss;
      if (!std::isnan(found.accuracy)) epoch.accuracy = found.accuracy;
    }
    result.epochs.push_back(epoch);
    now.history = history_of(result.epochs);
    if (options.run) options.run->metrics(epoch), draw_losses(*options.run, result.epochs);
    auto const stopping = options.early_stopping.value_or(tenon::training::EarlyStopping{});
    return stopping.update(now.early, epoch.evaluated_loss.value_or(epoch.loss));
  }
};

/// Trains a model with the batches of a `DataLoader`: steps of an optimizer with the rates of a
/// schedule, after each epoch an evaluation and a line of metrics, checkpoints, the best apart,
/// early stopping, a line of progress. `loss(model, batch)` or `loss(model, batch, key)` returns a
/// scalar or a `LossSum`, or the pair of it and the model with new running statistics. It continues
/// from the latest checkpoint in the folder, to the same bits, metrics and epochs as a run without
/// an interruption; a signal (Ctrl-C) ends it after a step, with a checkpoint. Each part can be
/// used alone: `train_step`, `evaluate`, `CheckpointManager`, `train_until`. Throws what these
/// throw. PyTorch Lightning: `Trainer.fit`. Keras: `fit`.
template <class Model, class Loader, class Loss, class Optimizer>
auto fit(Model model, Loader& loader, Loss const& loss, Optimizer const& optimizer,
         std::type_identity_t<FitOptions<Model>> const& options = {}) {
  auto state = optimizer.init(model);
  Fit<Model, Loader, Loss, Optimizer> run{
      loader, loss, optimizer, options, {{std::move(model), std::move(state), loader.state()}}};
  auto folder = options.checkpoints;
  if (folder.empty() && options.run) folder = options.run->checkpoints();
  if (folder.empty()) run.train(NoCheckpoints{});
  else run.train(tenon::training::CheckpointManager(folder, options.checkpoint_options));
  return std::move(run.result);
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::fit;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <cstddef>
#include <limits>

#include <tenon/train/plot.hpp>

namespace tenon::internal::training {

TENON_RUNTIME FitHistory history_of(std::vector<FitEpoch> const& epochs) {
  double const none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> numbers;
  for (FitEpoch const& epoch : epochs) {
    numbers.push_back(epoch.loss);
    for (auto const& number : {epoch.rate, epoch.evaluated_loss, epoch.accuracy})
      numbers.push_back(number.value_or(none));
  }
  return from_span<FitHistory>(numbers, static_cast<std::int64_t>(epochs.size()));
}

TENON_RUNTIME std::vector<FitEpoch> epochs_of(FitHistory const& history, std::int64_t batches) {
  std::vector<FitEpoch> epochs;
  for (std::int64_t i = 0; i < history.sizes()[0]; ++i) {
    auto const number = [&](std::int64_t k) {
      double const value = history(i, k);
      return std::isnan(value) ? std::nullopt : std::optional(value);
    };
    epochs.push_back({i + 1, (i + 1) * batches, history(i, 0), number(1), number(2), number(3)});
  }
  return epochs;
}

TENON_RUNTIME void draw_losses(RunManager const& run, std::vector<FitEpoch> const& epochs) {
  std::vector<tenon::training::Curve> curves{{.name = "training"}, {.name = "evaluated"}};
  for (FitEpoch const& epoch : epochs) {
    auto const at = static_cast<double>(epoch.epoch);
    curves[0].x.push_back(at), curves[0].y.push_back(epoch.loss);
    if (epoch.evaluated_loss)
      curves[1].x.push_back(at), curves[1].y.push_back(*epoch.evaluated_loss);
  }
  if (curves[1].x.empty()) curves.pop_back();
  draw_curves(run.folder() / "loss.svg", curves, {.x_title = "epoch"});
}

}  // namespace tenon::internal::training

#endif
