#pragma once

// Learning rates as pure functions of the step, which counts from 0: the rate of PyTorch's
// scheduler of the same name after that many calls of `step()`. `rate` is that of the optimizer.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/optim/schedule.hpp>

namespace tenon {

/// A rate times gamma after every `step_size` steps. PyTorch: `lr_scheduler.StepLR`.
struct StepLR {
  double rate = 1e-3;
  std::int64_t step_size = 1;
  double gamma = 0.1;

  double operator()(std::int64_t step) const {
    std::int64_t const times = step / step_size;
    return rate * std::pow(gamma, static_cast<double>(times));
  }
};

/// A rate times gamma at each milestone. PyTorch: `lr_scheduler.MultiStepLR`.
struct MultiStepLR {
  double rate = 1e-3;
  std::vector<std::int64_t> milestones{};
  double gamma = 0.1;

  double operator()(std::int64_t step) const {
    auto const passed = std::count_if(milestones.begin(), milestones.end(),
                                      [step](std::int64_t milestone) { return milestone <= step; });
    return rate * std::pow(gamma, static_cast<double>(passed));
  }
};

/// A rate times gamma after every step. PyTorch: `lr_scheduler.ExponentialLR`.
struct ExponentialLR {
  double rate = 1e-3;
  double gamma = 0.9;

  double operator()(std::int64_t step) const {
    return rate * std::pow(gamma, static_cast<double>(step));
  }
};

/// `factor` of a rate for `total_iters` steps, then the rate. PyTorch: `lr_scheduler.ConstantLR`.
struct ConstantLR {
  double rate = 1e-3;
  double factor = 1.0 / 3;
  std::int64_t total_iters = 5;

  double operator()(std::int64_t step) const { return step < total_iters ? rate * factor : rate; }
};

/// From `start_factor` to `end_factor` of a rate in `total_iters` steps: a linear warm-up. PyTorch:
/// `lr_scheduler.LinearLR`.
struct LinearLR {
  double rate = 1e-3;
  double start_factor = 1.0 / 3;
  double end_factor = 1;
  std::int64_t total_iters = 5;

  double operator()(std::int64_t step) const {
    double const done = internal::optim::part_done(step, total_iters);
    return rate * (start_factor + (end_factor - start_factor) * done);
  }
};

/// rate (1 - step / total_iters)^power, then 0. PyTorch: `lr_scheduler.PolynomialLR`.
struct PolynomialLR {
  double rate = 1e-3;
  std::int64_t total_iters = 5;
  double power = 1;

  double operator()(std::int64_t step) const {
    return rate * std::pow(1 - internal::optim::part_done(step, total_iters), power);
  }
};

/// From a rate to `eta_min` along half a cosine of `t_max` steps, and back in the next. PyTorch:
/// `lr_scheduler.CosineAnnealingLR`.
struct CosineAnnealingLR {
  double rate = 1e-3;
  std::int64_t t_max = 1;
  double eta_min = 0;

  double operator()(std::int64_t step) const {
    return internal::optim::along_cosine(rate, eta_min,
                                         static_cast<double>(step) / static_cast<double>(t_max));
  }
};

/// From a rate towards `eta_min` along half a cosine, again after `t_0` steps, then after `t_mult`
/// times as many as before (Loshchilov and Hutter, arXiv:1608.03983). PyTorch:
/// `lr_scheduler.CosineAnnealingWarmRestarts`.
struct CosineAnnealingWarmRestarts {
  double rate = 1e-3;
  std::int64_t t_0 = 1;
  std::int64_t t_mult = 1;
  double eta_min = 0;

  double operator()(std::int64_t step) const {
    std::int64_t length = t_0;
    if (t_mult <= 1) step %= length;
    for (; step >= length; length *= t_mult) step -= length;
    return internal::optim::along_cosine(rate, eta_min,
                                         static_cast<double>(step) / static_cast<double>(length));
  }
};

/// From max_rate / div_factor up to `max_rate` in the part `pct_start` of the steps, then down to
/// the initial rate / final_div_factor; with three phases first back to the initial rate, in as
/// many steps (Smith and Topin, arXiv:1708.07120). PyTorch: `lr_scheduler.OneCycleLR`, where
/// `is_linear` is `anneal_strategy='linear'`.
struct OneCycleLR {
  double max_rate = 1e-3;
  std::int64_t total_steps = 1;
  double pct_start = 0.3;
  bool is_linear = false;
  double div_factor = 25;
  double final_div_factor = 1e4;
  bool three_phase = false;

  double operator()(std::int64_t step) const {
    double const initial = max_rate / div_factor, last = initial / final_div_factor;
    double const up = pct_start * static_cast<double>(total_steps) - 1;
    double const down = three_phase ? 2 * up : up;
    double const end = static_cast<double>(total_steps) - 1;
    auto const now = (std::min)(static_cast<double>(step), end);
    if (now <= up) return between(initial, max_rate, now / up);
    if (three_phase && now <= down) return between(max_rate, initial, (now - up) / (down - up));
    return between(three_phase ? initial : max_rate, last, (now - down) / (end - down));
  }

 private:
  double between(double from, double to, double done) const {
    return is_linear ? from + (to - from) * done : internal::optim::along_cosine(from, to, done);
  }
};

/// Linear warm-up over `warmup` steps to `peak`, as of `WarmupCosine`; `peak`; over the last
/// `decay` of `steps` linear decay to `floor` (Hu et al., arXiv:2404.06395). Without a stable part,
/// `decay = steps - warmup`, it is the `get_linear_schedule_with_warmup` of Transformers.
struct WarmupStableDecay {
  double peak = 1e-3;
  std::int64_t warmup = 0;
  std::int64_t steps = 1;
  std::int64_t decay = 0;
  double floor = 0;

  double operator()(std::int64_t step) const {
    if (step < warmup) return peak * static_cast<double>(step + 1) / static_cast<double>(warmup);
    if (step < steps - decay || decay == 0) return peak;
    return peak + (floor - peak) * internal::optim::part_done(step - (steps - decay), decay);
  }
};

/// The product of schedules: the first has the rate, the others are factors, of `.rate = 1`.
/// PyTorch: `lr_scheduler.ChainedScheduler`.
template <class... Schedule>
struct ChainedScheduler {
  std::tuple<Schedule...> schedules;

  double operator()(std::int64_t step) const {
    return std::apply([step](auto const&... each) { return (each(step) * ...); }, schedules);
  }
};
template <class... Schedule>
ChainedScheduler(std::tuple<Schedule...>) -> ChainedScheduler<Schedule...>;

/// One schedule after another, each of which counts its steps from its milestone. PyTorch:
/// `lr_scheduler.SequentialLR`.
template <class... Schedule>
struct SequentialLR {
  std::tuple<Schedule...> schedules;
  std::array<std::int64_t, sizeof...(Schedule) - 1> milestones;

  double operator()(std::int64_t step) const {
    auto const after = std::upper_bound(milestones.begin(), milestones.end(), step);
    auto const index = static_cast<std::size_t>(after - milestones.begin());
    std::int64_t const first = index == 0 ? 0 : milestones[index - 1];
    return rate_of(index, step - first, std::index_sequence_for<Schedule...>());
  }

 private:
  template <std::size_t... i>
  double rate_of(std::size_t index, std::int64_t step, std::index_sequence<i...>) const {
    double rate = 0;
    ((i == index ? static_cast<void>(rate = std::get<i>(schedules)(step)) : void()), ...);
    return rate;
  }
};
template <class... Schedule, class Milestones>
SequentialLR(std::tuple<Schedule...>, Milestones) -> SequentialLR<Schedule...>;

/// The state of `ReduceLROnPlateau`: numbers that a checkpoint saves.
struct ReduceLROnPlateauState {
  double rate;
  double best;
  std::int64_t bad_steps = 0;       ///< Since the last improvement.
  std::int64_t cooldown_steps = 0;  ///< Before bad steps count again.
};

/// A rate times `factor` after more than `patience` steps without an improvement of a metric by
/// more than `threshold`, relative or absolute. A pure function of the state and the metric.
/// PyTorch: `lr_scheduler.ReduceLROnPlateau`, with the same defaults.
struct ReduceLROnPlateau {
  double rate = 1e-3;
  bool is_max = false;  ///< Whether the metric should increase: `mode='max'`.
  double factor = 0.1;
  std::int64_t patience = 10;
  double threshold = 1e-4;
  bool is_absolute = false;  ///< `threshold_mode='abs'`
  std::int64_t cooldown = 0;
  double min_rate = 0;
  double epsilon = 1e-8;  ///< Smaller changes of the rate are not made.

  ReduceLROnPlateauState init() const {
    double const infinity = std::numeric_limits<double>::infinity();
    return {rate, is_max ? -infinity : infinity};
  }
  /// The state, with the next rate, after a metric was measured.
  ReduceLROnPlateauState step(ReduceLROnPlateauState state, double metric) const {
    bool const improves = is_better(metric, state.best);
    if (improves) state.best = metric;
    state.bad_steps = improves ? 0 : state.bad_steps + 1;
    if (state.cooldown_steps > 0) --state.cooldown_steps, state.bad_steps = 0;
    if (state.bad_steps <= patience) return state;
    double const reduced = (std::max)(state.rate * factor, min_rate);
    if (state.rate - reduced > epsilon) state.rate = reduced;
    return {state.rate, state.best, 0, cooldown};
  }

 private:
  bool is_better(double metric, double best) const {
    double const sign = is_max ? 1 : -1;
    double const limit = is_absolute ? best + sign * threshold : best * (1 + sign * threshold);
    return is_max ? metric > limit : metric < limit;
  }
};

}  // namespace tenon
