#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <tenon/autodiff/grad.hpp>
#include <tenon/core/call.hpp>
#include <tenon/optim/clip.hpp>
#include <tenon/tree/tree.hpp>

#include <tenon/train/loop/batch_parts.hpp>

namespace tenon::internal::training {

/// The loss of a model, and its gradients.
template <class Model>
struct LossAndGradients {
  double loss;
  Model gradients;
};

struct TrainStepName {
  static constexpr std::string_view name = "train_step";
};

/// Those of one batch.
template <class Model, class Batch, class Loss>
LossAndGradients<Model> loss_and_gradients(Model const& model, Batch const& batch,
                                           Loss const& loss) {
  static_assert(CallableWith<Loss const&, Model const&, Batch const&>,
                "tenon::train_step: the loss is not a function of the model and a batch");
  auto const of_batch = [&](Model const& m) { return loss(m, batch); };
  auto result = ValueAndGrad<decltype(of_batch), TrainStepName>{of_batch}(model);
  return {static_cast<double>(result.first.item()), std::move(result.second)};
}

/// The weighted mean of losses and their gradients.
template <class Model>
class GradientMean {
 public:
  void add(LossAndGradients<Model> one, std::int64_t elements) {
    auto const count = static_cast<double>(elements);
    loss_ += count * one.loss;
    count_ += count;
    if (!sum_) first_ = count;
    double const weight = count / first_;  // 1 where all have the same size
    if (sum_) add_to_sum(one.gradients, weight);
    else sum_ = std::move(one.gradients);
  }

  bool is_empty() const { return !sum_; }

  LossAndGradients<Model> mean() && {
    scale_leaves(*sum_, first_ / count_);
    return {loss_ / count_, *std::move(sum_)};
  }

 private:
  void add_to_sum(Model const& gradients, double weight) {
    tree::zip(
        [&](auto& to, auto const& from) {
          optim::set_row(to, optim::row_of(to) + optim::row_of(from) * weight);
        },
        *sum_, gradients);
  }

  std::optional<Model> sum_{};
  double loss_ = 0, count_ = 0, first_ = 1;
};

/// Those of a batch in parts, one at a time in the memory of the backward pass.
template <class Model, class Batch, class Loss>
LossAndGradients<Model> loss_and_gradients(Model const& model, Batch const& batch, Loss const& loss,
                                           std::int64_t parts) {
  std::int64_t const size = batch_size(batch);
  if (parts == 1 || size <= 1) return loss_and_gradients(model, batch, loss);
  GradientMean<Model> mean;
  for (std::int64_t i = 0; i < parts; ++i) {
    auto const begin = i * size / parts, end = (i + 1) * size / parts;
    if (begin == end) continue;
    mean.add(loss_and_gradients(model, batch_part(batch, begin, end, size), loss), end - begin);
  }
  return std::move(mean).mean();
}

}  // namespace tenon::internal::training
