#pragma once

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ranges>
#include <type_traits>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/tree/tree.hpp>

#include <tenon/train/loop/batch_parts.hpp>
#include <tenon/train/loop/loss_sum.hpp>

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

/// What was measured on a batch as a struct: a scalar is the loss, and so is a sum over its count.
template <class Measured>
auto as_metrics(Measured const& measured) {
  if constexpr (is_loss_sum<Measured>) {
    return Metrics{.loss = as_metrics(measured.sum).loss / count_of(measured.count)};
  } else if constexpr (std::is_arithmetic_v<Measured>) {
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

/// The weight of what was measured on a batch: its count, or the number of elements.
template <class Measured, class Batch>
double weight_of(Measured const& measured, Batch const& batch) {
  if constexpr (is_loss_sum<Measured>) return count_of(measured.count);
  else if constexpr (HasCount<Measured>) {
    if (measured.count > 0) return static_cast<double>(measured.count);
  }
  return static_cast<double>(batch_size(batch));
}

/// Sums of what is measured on batches.
template <class M>
class MetricSums {
 public:
  /// The mean over elements of a weight; nothing, not even NaN, for none.
  void add(M one, double weight) {
    if (weight == 0) return;
    if constexpr (HasCount<M>) one.count = 0;
    weight_ += weight;
    tree::zip<tree::Stored>(
        [&]<class T>(T& sum, T const& value) {
          if constexpr (std::floating_point<T>) sum += value * static_cast<T>(weight);
          else sum = static_cast<T>(sum + value);
        },
        sums_, one);
  }

  M means(double seconds) const {
    M means = sums_;
    tree::for_each<tree::Stored>(
        [&]<class T>(T& value) {
          if constexpr (std::floating_point<T>) value /= static_cast<T>(weight_);
        },
        means);
    if constexpr (HasTime<M>) means.time_seconds = seconds;
    if constexpr (HasCount<M>)
      means.count = static_cast<decltype(means.count)>(std::llround(weight_));
    return means;
  }

 private:
  static M zeros() {
    M sums{};
    tree::for_each<tree::Stored>([]<class T>(T& value) { value = T{}; }, sums);
    return sums;
  }

  M sums_ = zeros();
  double weight_ = 0;
};

/// Measures a model on all batches of a range: `measure(model, batch)` returns the mean loss of the
/// batch, a scalar or a `LossSum`, whose mean is `Metrics::loss` of the result, or a struct of
/// numbers such as `Metrics`, the type of the result. The means are those over all elements, also
/// where the last batch is smaller, and NaN for no elements. The weight of a batch is its
/// `batch_size`, or the count that `measure` sets. An empty batch is not measured, unless by a
/// `LossSum`, which ranks need that wait for each other in `measure`. Throws `ShapeError` where
/// `batch_size` does and no count is set. PyTorch: a loop under `torch.no_grad()`.
template <class Model, std::ranges::input_range Loader, class Measure>
auto evaluate(Model const& model, Loader&& loader, Measure const& measure) {
  using Clock = std::chrono::steady_clock;
  using Batch = std::ranges::range_reference_t<Loader>;
  using M = decltype(as_metrics(measure(model, std::declval<Batch>())));
  auto const started = Clock::now();
  MetricSums<M> sums;
  for (auto&& batch : loader) {
    using Measured = Unqualified<decltype(measure(model, batch))>;
    if (!is_loss_sum<Measured> && find_batch_size(batch) == 0) continue;
    auto const measured = measure(model, batch);
    sums.add(as_metrics(measured), weight_of(measured, batch));
  }
  return sums.means(std::chrono::duration<double>(Clock::now() - started).count());
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::evaluate;

}  // namespace tenon::training
