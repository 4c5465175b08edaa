#pragma once

// A learning rate is found by a short training with a rate that rises (Smith, arXiv:1506.01186).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/fit.hpp>

namespace tenon::training {

/// The rates that `lr_find` tries. Fastai: the arguments of `Learner.lr_find`.
struct LRFindOptions {
  double start = 1e-7;
  double end = 10;
  std::int64_t steps = 100;  ///< From `start` to `end`, by equal factors.
  double smoothing = 0.98;   ///< The weight of earlier losses in the exponential average.
  double divergence = 4;     ///< Ends where the average is larger than its least by this factor.
  StepOptions step{.clip_norm = no_clipping};  ///< Clipping and accumulation.
  Key key{};                                   ///< Of a loss that takes one.
};

/// The averages of the losses over the rates, up to where they diverged, and the rate at which they
/// fall most steeply; none where they do not fall.
struct LRFindResult {
  std::vector<double> rates{};
  std::vector<double> losses{};
  std::optional<double> suggestion{};

  /// Draws the losses over the rates, SVG. Throws `FileError`.
  void draw(std::filesystem::path const& path) const;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::LRFindOptions;
using tenon::training::LRFindResult;

/// The rates that are tried, and the average of the losses.
class LRSweep {
 public:
  /// Throws `ValueError` for options out of range.
  explicit LRSweep(LRFindOptions const& options);

  /// The rate of a step.
  double rate(std::int64_t step) const;

  /// Notes the loss of the next step; false if it diverges.
  bool add(double loss);

  /// The rates and losses, with the suggestion: the first ten points are those of a model that has
  /// hardly changed, the last one may be in divergence. PyTorch Lightning: `lr_find.suggestion`.
  LRFindResult result() &&;

 private:
  LRFindOptions options_;
  LRFindResult found_{};
  double average_ = 0, kept_ = 1, least_ = 0;
};

/// Finds a learning rate: trains a copy of the model with a rate that rises exponentially, until
/// the loss diverges. Loader and loss are those of `fit`; the loader is left where it was. The
/// `rate` of the optimizer is not used. Throws `ValueError` for options out of range, and what
/// `train_step` throws. Fastai: `Learner.lr_find`. PyTorch Lightning: `Tuner.lr_find`.
template <class Model, class Loader, class Loss, class Optimizer>
LRFindResult lr_find(Model model, Loader& loader, Loss const& loss, Optimizer const& optimizer,
                     LRFindOptions const& options = {}) {
  LRSweep sweep(options);
  auto state = optimizer.init(model);
  auto const place = loader.state();
  StepOptions how = options.step;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    how.rate = sweep.rate(step);
    Key const key = fold_in(options.key, step);
    if (!sweep.add(fit_step(model, loader.next(), loss, optimizer, state, how, key).loss)) break;
  }
  loader.restore(place);
  return std::move(sweep).result();
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::lr_find;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/train/plot.hpp>

namespace tenon::training {

TENON_RUNTIME void LRFindResult::draw(std::filesystem::path const& path) const {
  std::array const curves{Curve{.x = rates, .y = losses}};
  draw_curves(path, curves, {.x_title = "learning rate", .is_x_logarithmic = true, .least = 1e-30});
}

}  // namespace tenon::training

namespace tenon::internal::training {

TENON_RUNTIME LRSweep::LRSweep(LRFindOptions const& options) : options_(options) {
  auto const check = [](bool is_right, char const* what, char const* expected, double got) {
    if (is_right) return;
    fail<ValueError>({"lr_find", what, expected, std::to_string(got), {}});
  };
  check(options.start > 0, "start", "a positive number", options.start);
  check(options.end > options.start && std::isfinite(options.end), "end",
        "a finite number above the start", options.end);
  check(options.steps >= 2, "steps", "at least 2", static_cast<double>(options.steps));
  check(options.smoothing >= 0 && options.smoothing < 1, "smoothing",
        "a number from 0 to less than 1", options.smoothing);
  check(options.divergence > 1, "divergence", "a number above 1", options.divergence);
}

TENON_RUNTIME double LRSweep::rate(std::int64_t step) const {
  double const share = static_cast<double>(step) / static_cast<double>(options_.steps - 1);
  return options_.start * std::pow(options_.end / options_.start, share);
}

/// The average is divided by the sum of its weights, as in Adam. (Losses may be negative.)
TENON_RUNTIME bool LRSweep::add(double loss) {
  if (!std::isfinite(loss)) return false;
  double const beta = options_.smoothing;
  average_ = beta * average_ + (1 - beta) * loss;
  kept_ *= beta;
  double const mean = average_ / (1 - kept_);
  auto const step = static_cast<std::int64_t>(found_.losses.size());
  found_.rates.push_back(rate(step));
  found_.losses.push_back(mean);
  if (step == 0 || mean < least_) least_ = mean;
  return mean <= least_ + (options_.divergence - 1) * std::abs(least_);
}

TENON_RUNTIME LRFindResult LRSweep::result() && {
  auto const& losses = found_.losses;
  std::size_t const skipped = losses.size() > 30 ? 10 : 0;
  double steepest = 0;
  for (std::size_t i = skipped + 1; i + 2 < losses.size(); ++i) {
    double const slope = (losses[i + 1] - losses[i - 1]) / 2;  // the derivative by log(rate)
    if (slope >= steepest) continue;
    steepest = slope;
    found_.suggestion = found_.rates[i];
  }
  return std::move(found_);
}

}  // namespace tenon::internal::training

#endif
