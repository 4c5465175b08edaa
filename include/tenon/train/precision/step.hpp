#pragma once

#include <cmath>
#include <ranges>
#include <utility>

#include <tenon/tree/device.hpp>

#include <tenon/train/loop/train_step.hpp>
#include <tenon/train/precision/emulated.hpp>
#include <tenon/train/precision/precision.hpp>

namespace tenon::internal::training {

/// Checks the options and the scale. Says once that the processor has no instructions for the dtype
/// in which a model on it computes.
template <class Model, PrecisionType P>
void begin_step(P const& precision, StepOptions const& options) {
  check_options(options);
  check_loss_scale(precision.loss_scale);
  if constexpr (tree::DeviceOf<Model>::is_host) {
    [[maybe_unused]] static bool const is_said = (warn_if_emulated<typename P::compute>(), true);
  }
}

/// A step with gradients of `scaled_loss`: they are divided by the scale, clipped, and change model
/// and state. If they are not finite, and the scale is dynamic, model and state stay as they are;
/// the scale is adapted. Returns the norm before clipping, by which this is decided, so that ranks
/// with the same gradients decide alike. Throws `ValueError` for the options. PyTorch:
/// `scaler.unscale_`, `clip_grad_norm_`, `scaler.step`, `scaler.update`.
template <class Model, class Optimizer, class State, PrecisionType P>
double apply_gradients(Model& model, Model gradients, Optimizer const& optimizer, State& state,
                       P& precision, StepOptions const& options = {}) {
  check_options(options);
  auto& loss_scale = precision.loss_scale;
  if (loss_scale.scale != 1) scale_leaves(gradients, 1 / loss_scale.scale);
  auto mean = reduce_gradients(std::move(gradients), optimizer);
  double const norm = global_norm(mean);
  if (std::isfinite(norm) || !loss_scale.is_dynamic())
    change_model(model, std::move(mean), norm, optimizer, state, options);
  loss_scale.update(std::isfinite(norm));
  return norm;
}

/// The step with the loss and the gradients of `scaled_loss`, and what it reports.
template <class Model, class Optimizer, class State, PrecisionType P>
StepResult apply_scaled(Model& model, LossAndGradients<Model> scaled, Optimizer const& optimizer,
                        State& state, P& precision, StepOptions const& options) {
  scaled.loss /= precision.loss_scale.scale;
  return apply_mean(std::move(scaled), optimizer, [&](Model gradients) {
    return apply_gradients(model, std::move(gradients), optimizer, state, precision, options);
  });
}

/// `train_step` in the dtypes of a precision: `loss(model, batch)` calls the model with the batch
/// as it is; the model computes in `Compute`, its results have the dtype `Output`. The reported
/// loss and norm are not scaled; a step that was left out has a norm that is not finite. The first
/// one calls `warn_if_emulated`. Throws what the loss throws, and `ValueError` for the options and
/// the scale.
template <class Model, class Batch, class Loss, class Optimizer, class State, PrecisionType P>
StepResult train_step(Model& model, Batch const& batch, Loss const& loss,
                      Optimizer const& optimizer, State& state, P& precision,
                      StepOptions const& options = {}) {
  begin_step<Model>(precision, options);
  auto scaled = loss_and_gradients(model, batch, scaled_loss(precision, loss), options.accumulate);
  return apply_scaled(model, std::move(scaled), optimizer, state, precision, options);
}

/// `train_step_accumulated` in the dtypes of a precision.
template <class Model, std::ranges::input_range Batches, class Loss, class Optimizer, class State,
          PrecisionType P>
StepResult train_step_accumulated(Model& model, Batches&& batches, Loss const& loss,
                                  Optimizer const& optimizer, State& state, P& precision,
                                  StepOptions const& options = {}) {
  begin_step<Model>(precision, options);
  auto scaled = loss_and_gradients_of_batches(model, batches, scaled_loss(precision, loss),
                                              options.accumulate);
  return apply_scaled(model, std::move(scaled), optimizer, state, precision, options);
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::apply_gradients;
using internal::training::train_step;
using internal::training::train_step_accumulated;

}  // namespace tenon::training
