#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ranges>
#include <type_traits>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/tree/tree.hpp>

#include <tenon/train/loop/batch_parts.hpp>

namespace tenon::training {

/// What is measured on a dataset. Another struct of numbers serves as well, with more fields: those
/// of floating type are means over the elements, those of integer type sums, `count` is the number
/// of elements and `time_seconds` the duration. (A checkpoint with a duration differs from run to
/// run.)
struct Metrics {
  double loss = 0;
  double accuracy = std::numeric_limits<double>::quiet_NaN();  ///< NaN if it was not measured.
  double time_seconds = 0;
  std::int64_t count = 0;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::Metrics;

template <class M>
concept HasCount = requires(M metrics) { metrics.count += 1; };
template <class M>
concept HasTime = requires(M metrics) { metrics.time_seconds = 1.0; };

/// What was measured on a batch as a struct: a scalar is the loss.
template <class Measured>
auto as_metrics(Measured const& measured) {
  if constexpr (std::is_arithmetic_v<Measured>) {
    return Metrics{.loss = static_cast<double>(measured)};
  } else if constexpr (Expression<Measured>) {
    static_assert(Measured::shape.rank == 0,
                  "tenon::evaluate: the loss is not a scalar; take its mean or sum");
    return Metrics{.loss = static_cast<double>(eval(measured).item())};
  } else {
    static_assert(std::is_aggregate_v<Measured>,
                  "tenon::evaluate: what is measured is neither a scalar nor a struct of numbers");
    return measured;
  }
}

/// Sums of what is measured on batches.
template <class M>
class MetricSums {
 public:
  /// The mean over `size` elements, or over those that it counts itself.
  void add(M one, std::int64_t size) {
    if constexpr (HasCount<M>) {
      if (one.count > 0) size = static_cast<std::int64_t>(one.count);
      one.count = 0;
    }
    count_ += size;
    tree::zip<tree::Stored>(
        [&]<class T>(T& sum, T const& value) {
          if constexpr (std::floating_point<T>) sum += value * static_cast<T>(size);
          else sum = static_cast<T>(sum + value);
        },
        sums_, one);
  }

  M means(double seconds) const {
    M means = sums_;
    tree::for_each<tree::Stored>(
        [&]<class T>(T& value) {
          if constexpr (std::floating_point<T>) value /= static_cast<T>(count_);
        },
        means);
    if constexpr (HasTime<M>) means.time_seconds = seconds;
    if constexpr (HasCount<M>) means.count = count_;
    return means;
  }

 private:
  static M zeros() {
    M sums{};
    tree::for_each<tree::Stored>([]<class T>(T& value) { value = T{}; }, sums);
    return sums;
  }

  M sums_ = zeros();
  std::int64_t count_ = 0;
};

/// Measures a model on all batches of a range: `measure(model, batch)` returns the mean loss of the
/// batch, a scalar, or a struct of numbers such as `Metrics`. The means are those over all
/// elements, also where the last batch is smaller, and NaN for no elements. The weight of a batch
/// is its `batch_size`, or the `count` that `measure` sets. PyTorch: a loop under
/// `torch.no_grad()`.
template <class Model, std::ranges::input_range Loader, class Measure>
auto evaluate(Model const& model, Loader&& loader, Measure const& measure) {
  using Clock = std::chrono::steady_clock;
  using Batch = std::ranges::range_reference_t<Loader>;
  using M = decltype(as_metrics(measure(model, std::declval<Batch>())));
  auto const started = Clock::now();
  MetricSums<M> sums;
  for (auto&& batch : loader) sums.add(as_metrics(measure(model, batch)), batch_size(batch));
  return sums.means(std::chrono::duration<double>(Clock::now() - started).count());
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::evaluate;

}  // namespace tenon::training
