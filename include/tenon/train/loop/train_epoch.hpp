#pragma once

#include <chrono>
#include <cstdint>
#include <ranges>
#include <type_traits>

#include <tenon/core/call.hpp>

#include <tenon/train/loop/batch_parts.hpp>
#include <tenon/train/loop/step_options.hpp>

namespace tenon::training {

/// What an epoch of training reports: the mean loss over the elements of its batches (NaN for
/// none), their number, the number of steps, and whether it came to its end.
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

/// Trains with every batch of a range, in its order: `step(batch)` returns the `StepResult` of
/// `train_step`; then `on_step(result)`, where false ends the epoch (on a `StopRequest`, for
/// example). PyTorch: `for batch in loader`.
template <std::ranges::input_range Loader, class Step, class OnStep>
EpochResult train_epoch(Loader&& loader, Step&& step, OnStep&& on_step) {
  using Clock = std::chrono::steady_clock;
  auto const started = Clock::now();
  EpochResult epoch;
  for (auto&& batch : loader) {
    std::int64_t const size = batch_size(batch);
    StepResult const result = step(batch);
    epoch.loss += result.loss * static_cast<double>(size);
    epoch.count += size;
    ++epoch.steps;
    epoch.is_complete = goes_on(on_step, result);
    if (!epoch.is_complete) break;
  }
  epoch.loss /= static_cast<double>(epoch.count);
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
