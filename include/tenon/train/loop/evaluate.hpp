#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <ranges>
#include <type_traits>

namespace tenon::training {

/// What is measured on one batch: the mean loss, the number of right predictions, and the number of
/// elements.
struct BatchMetrics {
  double loss = 0;
  double correct = 0;
  std::int64_t count = 0;
};

/// What is measured on a dataset: means over its elements, also if the last batch is smaller.
/// (0 of no elements are NaN.) A struct with more fields has this one as a member.
struct Metrics {
  double loss = 0;
  double accuracy = 0;
  double time_seconds = 0;
  std::int64_t count = 0;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::BatchMetrics;
using tenon::training::Metrics;

/// Measures all batches of a range with `measure(batch)`, which returns `BatchMetrics`.
/// PyTorch: a loop over a `DataLoader` under `torch.no_grad()`.
template <std::ranges::input_range Batches, class Measure>
Metrics evaluate(Batches&& batches, Measure const& measure) {
  using Clock = std::chrono::steady_clock;
  auto const started = Clock::now();
  double loss = 0, correct = 0;
  std::int64_t count = 0;
  for (auto const& batch : batches) {
    BatchMetrics const one = measure(batch);
    loss += one.loss * static_cast<double>(one.count);
    correct += one.correct;
    count += one.count;
  }
  auto const all = static_cast<double>(count);
  double const seconds = std::chrono::duration<double>(Clock::now() - started).count();
  return {.loss = loss / all, .accuracy = correct / all, .time_seconds = seconds, .count = count};
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::evaluate;

}  // namespace tenon::training
