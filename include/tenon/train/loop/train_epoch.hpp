#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ranges>
#include <type_traits>

#include <tenon/core/call.hpp>

#include <tenon/train/loop/batch_parts.hpp>
#include <tenon/train/loop/step_options.hpp>

namespace tenon::training {

/// What an epoch of training reports: the mean loss over the elements of its batches (NaN for
/// none), their number, or the sum of the weights that steps report, the number of steps (empty
/// batches included), and whether it came to its end.
struct EpochResult {
  double loss = 0;
  double time_seconds = 0;
  std::int64_t steps = 0;
  std::int64_t count = 0;
  bool is_complete = true;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::EpochResult;

/// Calls a function of the result of a step; false ends the epoch.
template <class OnStep>
bool goes_on(OnStep& on_step, StepResult const& result) {
  if constexpr (std::is_void_v<CallResult<OnStep&, StepResult const&>>) {
    on_step(result);
    return true;
  } else {
    return static_cast<bool>(on_step(result));
  }
}

/// The weight of the loss of a step: the one that it reports, or the number of elements.
template <class Batch>
double weight_of_step(StepResult const& result, std::optional<std::int64_t> size,
                      Batch const& batch) {
  if (result.weight) return *result.weight;
  return static_cast<double>(size ? *size : batch_size(batch));
}

/// Trains with every batch of a range, in its order: `step(batch)` returns the `StepResult` of
/// `train_step`, whose loss has the weight that it reports, or the `batch_size`; what it reports of
/// an empty batch, NaN included, is not in the mean; then `on_step(result)`, where false ends the
/// epoch (on a `StopRequest`, for example). Throws `ShapeError` where `batch_size` does and the
/// step reports no weight. PyTorch: `for batch in loader`.
template <std::ranges::input_range Loader, class Step, class OnStep>
EpochResult train_epoch(Loader&& loader, Step&& step, OnStep&& on_step) {
  using Clock = std::chrono::steady_clock;
  auto const started = Clock::now();
  EpochResult epoch;
  double total = 0;
  for (auto&& batch : loader) {
    auto const size = find_batch_size(batch);
    StepResult const result = step(batch);
    double const weight = weight_of_step(result, size, batch);
    if (weight > 0) epoch.loss += result.loss * weight;
    total += weight;
    ++epoch.steps;
    epoch.is_complete = goes_on(on_step, result);
    if (!epoch.is_complete) break;
  }
  epoch.loss /= total;
  epoch.count = std::llround(total);
  epoch.time_seconds = std::chrono::duration<double>(Clock::now() - started).count();
  return epoch;
}
template <std::ranges::input_range Loader, class Step>
EpochResult train_epoch(Loader&& loader, Step&& step) {
  return train_epoch(loader, step, [](StepResult const&) {});
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::train_epoch;

}  // namespace tenon::training
