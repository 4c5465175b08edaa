#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

#include <tenon/autodiff/grad.hpp>
#include <tenon/core/call.hpp>
#include <tenon/core/error.hpp>
#include <tenon/optim/clip.hpp>
#include <tenon/tree/tree.hpp>

#include <tenon/train/loop/batch_parts.hpp>
#include <tenon/train/loop/loss_sum.hpp>

namespace tenon::internal::training {

/// The mean loss of a model over the elements of batches, and its gradients.
template <class Model>
struct LossAndGradients {
  double loss = 0;                     ///< 0 of no elements,
  std::optional<Model> gradients{};    ///< of which there are no gradients.
  std::optional<double> weight = 0.0;  ///< The number of elements, or the sum of counts.
};

struct TrainStepName {
  static constexpr std::string_view name = "train_step";
};

template <class Loss, class Model, class Batch>
concept ReturnsLossSum =
    CallableWith<Loss const&, Model const&, Batch const&> &&
    is_loss_sum<Unqualified<CallResult<Loss const&, Model const&, Batch const&>>>;

/// The error of a step whose loss is no function of the model and a batch.
template <class Model, class Batch, class Loss>
  requires(!CallableWith<Loss const&, Model const&, Batch const&>)
using LossMistake =
    typename decltype(call_mistake<TrainStepName, Loss const&, Model, Batch>())::type;

/// The weighted mean of losses and their gradients.
template <class Model>
class GradientMean {
 public:
  /// Adds a mean over `weight` elements as `factor = weight`, or a sum over them as `factor = 1`;
  /// nothing, not even NaN, of no elements.
  void add(double loss, Model gradients, double factor, double weight) {
    if (weight == 0) return;
    if (!sum_) first_ = factor;
    double const relative = factor / first_;  // 1 where all have the same size
    loss_ += relative * loss;
    weight_ += weight;
    if (sum_) add_to_sum(gradients, relative);
    else sum_ = std::move(gradients);
  }

  LossAndGradients<Model> mean() && {
    if (!sum_) return {};
    double const scale = first_ / weight_;
    if (scale != 1) scale_leaves(*sum_, scale);
    return {scale * loss_, std::move(sum_), weight_};
  }

 private:
  void add_to_sum(Model const& gradients, double factor) {
    tree::zip(
        [&](auto& to, auto const& from) {
          optim::set_row(to, optim::row_of(to) + optim::row_of(from) * factor);
        },
        *sum_, gradients);
  }

  std::optional<Model> sum_{};
  double loss_ = 0, weight_ = 0, first_ = 1;
};

/// Adds the loss and the gradients of one batch of `size` elements. A loss that is a mean is not
/// called for none; one that is a sum is, since ranks may wait in it for each other.
template <class Model, class Batch, class Loss>
void add_batch(GradientMean<Model>& mean, Model const& model, Batch const& batch, Loss const& loss,
               std::int64_t size) {
  static_assert(CallableWith<Loss const&, Model const&, Batch const&>,
                "tenon::train_step: the loss is not a function of the model and a batch");
  auto weight = static_cast<double>(size);
  if constexpr (!ReturnsLossSum<Loss, Model, Batch>) {
    if (size == 0) return;
  }
  auto const of_batch = [&](Model const& m) {
    if constexpr (ReturnsLossSum<Loss, Model, Batch>) {
      auto result = loss(m, batch);
      weight = count_of(result.count);
      return std::move(result.sum);
    } else {
      return loss(m, batch);
    }
  };
  auto result = ValueAndGrad<decltype(of_batch), TrainStepName>{of_batch}(model);
  double const factor = ReturnsLossSum<Loss, Model, Batch> ? 1 : weight;
  mean.add(static_cast<double>(result.first.item()), std::move(result.second), factor, weight);
}

/// Adds those of a batch of `size` elements in parts, one at a time in the memory of the backward
/// pass.
template <class Model, class Batch, class Loss>
void add_parts(GradientMean<Model>& mean, Model const& model, Batch const& batch, Loss const& loss,
               std::int64_t parts, std::optional<std::int64_t> found) {
  std::int64_t const size = parts > 1 ? batch_size(batch) : found.value_or(1);
  if (parts == 1 || size <= 1) return add_batch(mean, model, batch, loss, size);
  for (std::int64_t i = 0; i < parts; ++i) {
    auto const begin = i * size / parts, end = (i + 1) * size / parts;
    if (begin < end) add_batch(mean, model, batch_part(batch, begin, end), loss, end - begin);
  }
}

/// The loss and the gradients of a batch; its weight is unknown if its tensors have no first axis
/// in common and the loss is a mean.
template <class Model, class Batch, class Loss>
LossAndGradients<Model> loss_and_gradients(Model const& model, Batch const& batch, Loss const& loss,
                                           std::int64_t parts) {
  auto const size = find_batch_size(batch);
  GradientMean<Model> mean;
  add_parts(mean, model, batch, loss, parts, size);
  auto result = std::move(mean).mean();
  if (!size && !ReturnsLossSum<Loss, Model, Batch>) result.weight.reset();
  return result;
}

/// The loss and the gradients of several batches, as of one batch with all their elements. Throws
/// `ValueError` for no batch.
template <class Model, std::ranges::input_range Batches, class Loss>
LossAndGradients<Model> loss_and_gradients_of_batches(Model const& model, Batches&& batches,
                                                      Loss const& loss, std::int64_t parts) {
  using Batch = std::ranges::range_value_t<Batches>;
  GradientMean<Model> mean;
  bool is_none = true;
  for (auto const& batch : batches) {
    bool const is_sum = ReturnsLossSum<Loss, Model, Batch>;
    add_parts(mean, model, batch, loss, parts, is_sum ? find_batch_size(batch) : batch_size(batch));
    is_none = false;
  }
  if (is_none)
    fail<ValueError>({.who = "train_step_accumulated", .expected = "a batch", .got = "none"});
  return std::move(mean).mean();
}

}  // namespace tenon::internal::training
