#pragma once

#include <cstdint>
#include <ranges>
#include <tuple>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/optim/optim.hpp>

#include <tenon/train/loop/gradients.hpp>
#include <tenon/train/loop/step_options.hpp>

namespace tenon::internal::training {

/// The model and the state of the optimizer after a step with gradients of a given norm, which are
/// clipped.
template <class Model, class Optimizer, class State>
void change_model(Model& model, Model gradients, double norm, Optimizer const& optimizer,
                  State& state, StepOptions const& options) {
  gradients = scaled_to_norm(std::move(gradients), options.clip_norm, norm);
  std::tie(model, state) =
      options.rate ? optimizer.step(std::move(model), gradients, std::move(state), *options.rate)
                   : optimizer.step(std::move(model), gradients, std::move(state));
}

/// The model and the state of the optimizer after a step with these gradients, which are clipped
/// first. Returns their norm before that. Throws `ValueError` for the options.
template <class Model, class Optimizer, class State>
double apply_gradients(Model& model, Model gradients, Optimizer const& optimizer, State& state,
                       StepOptions const& options = {}) {
  check_options(options);
  double const norm = global_norm(gradients);
  change_model(model, std::move(gradients), norm, optimizer, state, options);
  return norm;
}

/// One step of training: the gradients of `loss(model, batch)`, a scalar, clipped, change the model
/// and the state of the optimizer. Throws what the loss throws, model and state are then unchanged,
/// and `ValueError` for the options. PyTorch: `loss.backward()`, `clip_grad_norm_`,
/// `optimizer.step()`, `optimizer.zero_grad()`.
template <class Model, class Batch, class Loss, class Optimizer, class State>
StepResult train_step(Model& model, Batch const& batch, Loss const& loss,
                      Optimizer const& optimizer, State& state, StepOptions const& options = {}) {
  check_options(options);
  auto [value, gradients] = loss_and_gradients(model, batch, loss, options.accumulate);
  return {value, apply_gradients(model, std::move(gradients), optimizer, state, options)};
}

/// The loss and the gradients of several batches, as of one batch with all their elements.
template <class Model, std::ranges::input_range Batches, class Loss>
LossAndGradients<Model> loss_and_gradients_of_batches(Model const& model, Batches&& batches,
                                                      Loss const& loss, std::int64_t parts) {
  GradientMean<Model> mean;
  for (auto const& batch : batches)
    mean.add(loss_and_gradients(model, batch, loss, parts), batch_size(batch));
  if (mean.is_empty())
    fail<ValueError>({.who = "train_step_accumulated", .expected = "a batch", .got = "none"});
  return std::move(mean).mean();
}

/// One step with the gradients of several batches, as of one batch with all their elements, to
/// rounding, for a loss that is a mean; one batch at a time is in memory if the range makes them.
/// Throws `ValueError` for no batch. PyTorch: `loss.backward()` of several micro-batches before
/// `optimizer.step()`.
template <class Model, std::ranges::input_range Batches, class Loss, class Optimizer, class State>
StepResult train_step_accumulated(Model& model, Batches&& batches, Loss const& loss,
                                  Optimizer const& optimizer, State& state,
                                  StepOptions const& options = {}) {
  check_options(options);
  auto [value, gradients] = loss_and_gradients_of_batches(model, batches, loss, options.accumulate);
  return {value, apply_gradients(model, std::move(gradients), optimizer, state, options)};
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::apply_gradients;
using internal::training::train_step;
using internal::training::train_step_accumulated;

}  // namespace tenon::training
