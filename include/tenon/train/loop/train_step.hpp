#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/core/error.hpp>
#include <tenon/optim/optim.hpp>
#include <tenon/tree/tree.hpp>

#include <tenon/train/loop/gradients.hpp>
#include <tenon/train/loop/step_options.hpp>

namespace tenon::internal::training {

/// The gradients whose norm is clipped: those of an optimizer over ranks, as `Zero`, are first
/// reduced over them, so that all ranks clip by one norm.
template <class Model, class Optimizer>
auto reduce_gradients(Model gradients, Optimizer const& optimizer) {
  if constexpr (requires { optimizer.reduce(gradients); }) return optimizer.reduce(gradients);
  else return gradients;
}

/// The model and the state of the optimizer after a step with gradients of a given norm, which are
/// clipped.
template <class Model, class Gradients, class Optimizer, class State>
void change_model(Model& model, Gradients gradients, double norm, Optimizer const& optimizer,
                  State& state, StepOptions const& options) {
  gradients = scale_to_norm(std::move(gradients), options.clip_norm, norm);
  std::tie(model, state) =
      options.rate ? optimizer.step(std::move(model), gradients, std::move(state), *options.rate)
                   : optimizer.step(std::move(model), gradients, std::move(state));
}

/// The model and the state of the optimizer after a step with these gradients, which are clipped
/// first. Returns their norm before that, over all ranks for an optimizer that reduces gradients
/// over them. Throws `ValueError` for the options.
template <class Model, class Optimizer, class State>
double apply_gradients(Model& model, Model gradients, Optimizer const& optimizer, State& state,
                       StepOptions const& options = {}) {
  check_options(options);
  auto mean = reduce_gradients(std::move(gradients), optimizer);
  double const norm = global_norm(mean);
  change_model(model, std::move(mean), norm, optimizer, state, options);
  return norm;
}

/// Refuses to make no step with an optimizer of a group of ranks, which would wait for this one.
template <class Optimizer>
void check_steps_alone([[maybe_unused]] Optimizer const& optimizer) {
  if constexpr (requires { optimizer.group.world_ranks(); }) {
    if (optimizer.group.size() > 1)
      fail<ValueError>(
          {.who = "train_step",
           .expected = "elements on every rank, as the optimizer steps on all together",
           .got = "an empty batch"});
  }
}

/// What a step reports that `apply` makes with mean gradients; of no elements there is none.
template <class Model, class Optimizer, class Apply>
StepResult apply_mean(LossAndGradients<Model> mean, Optimizer const& optimizer,
                      Apply const& apply) {
  if (!mean.gradients) {
    check_steps_alone(optimizer);
    return {.loss = 0, .gradient_norm = 0, .weight = 0};
  }
  return {mean.loss, apply(*std::move(mean.gradients)), mean.weight};
}

/// One step of training: the gradients of `loss(model, batch)`, a scalar or a `LossSum`, clipped,
/// change the model and the state of the optimizer. A loss may return the pair of it and of the
/// model after it: what is not learned (running statistics) is then that of this model. An empty
/// batch makes no step: model and state stay as they are, the reported loss, norm and weight are 0,
/// and a loss that is a mean is not called: one in which ranks wait for each other has to be a
/// `LossSum`. An optimizer of a group of ranks, such as `Zero`, takes the plain mean over ranks and
/// clips it by its norm; for parts of different sizes give it `weight_gradients` in a step of your
/// own. Throws what the loss throws, model and state are then unchanged, and `ValueError` for the
/// options and for an empty batch with such an optimizer. PyTorch: `loss.backward()`,
/// `clip_grad_norm_`, `optimizer.step()`, `optimizer.zero_grad()`.
template <class Model, class Batch, class Loss, class Optimizer, class State>
  requires CallableWith<Loss const&, Model const&, Batch const&>
StepResult train_step(Model& model, Batch const& batch, Loss const& loss,
                      Optimizer const& optimizer, State& state, StepOptions const& options = {}) {
  if constexpr (!tree::is_tuple<Unqualified<CallResult<Loss const&, Model const&, Batch const&>>>) {
    check_options(options);
    return apply_mean(loss_and_gradients(model, batch, loss, options.accumulate), optimizer,
                      [&](Model mean) {
                        return apply_gradients(model, std::move(mean), optimizer, state, options);
                      });
  } else {
    std::optional<Model> after;
    auto const scalar = [&](Model const& now, Batch const& part) {
      auto value = loss(now, part);
      after = std::move(value.second);
      return std::move(value.first);
    };
    StepResult const done = train_step(model, batch, scalar, optimizer, state, options);
    if (after)
      model = tree::map([](auto const&, auto const& learned) { return learned; }, *after, model);
    return done;
  }
}
template <class Model, class Batch, class Loss, class Optimizer, class State,
          class M = LossMistake<Model, Batch, Loss>>
auto train_step(Model& model, Batch const& batch, Loss const& loss, Optimizer const& optimizer,
                State& state, StepOptions const& options = {}) -> M;

/// One step with the gradients of several batches, as of one batch with all their elements, to
/// rounding, for a loss that is a mean over elements or a `LossSum`; one batch at a time is in
/// memory if the range makes them. Empty batches contribute nothing. Throws `ValueError` for no
/// batch, `ShapeError` where `batch_size` does and the loss is a mean. PyTorch: `loss.backward()`
/// of several micro-batches before `optimizer.step()`.
template <class Model, std::ranges::input_range Batches, class Loss, class Optimizer, class State>
StepResult train_step_accumulated(Model& model, Batches&& batches, Loss const& loss,
                                  Optimizer const& optimizer, State& state,
                                  StepOptions const& options = {}) {
  check_options(options);
  return apply_mean(loss_and_gradients_of_batches(model, batches, loss, options.accumulate),
                    optimizer, [&](Model mean) {
                      return apply_gradients(model, std::move(mean), optimizer, state, options);
                    });
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::apply_gradients;
using internal::training::train_step;
using internal::training::train_step_accumulated;

}  // namespace tenon::training
