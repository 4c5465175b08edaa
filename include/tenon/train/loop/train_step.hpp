#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <tenon/autodiff/grad.hpp>
#include <tenon/core/error.hpp>
#include <tenon/optim/optim.hpp>

namespace tenon::training {

/// How a step changes the model.
struct StepOptions {
  /// Gradients with a larger global norm are scaled down to it (Pascanu, Mikolov and Bengio,
  /// arXiv:1211.5063); `no_clipping`: never.
  double clip_norm = 1.0;
  std::optional<double> rate = std::nullopt;  ///< The learning rate now; none: the optimizer's.
};

inline constexpr double no_clipping = std::numeric_limits<double>::infinity();

/// What a step reports: the loss before it, and the global norm of the gradients before clipping.
struct StepResult {
  double loss;
  double gradient_norm;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::StepOptions;
using tenon::training::StepResult;

/// Checks `.clip_norm`: zero, a negative number or NaN would stop training in silence.
inline void check_options(StepOptions const& options) {
  if (options.clip_norm > 0) return;
  fail<ValueError>({.who = "train_step",
                    .what = "clip_norm",
                    .expected = "a positive number; no_clipping for none",
                    .got = std::to_string(options.clip_norm)});
}

/// The model and the state of the optimizer after a step with these gradients. Returns the norm.
template <class Model, class Optimizer, class State>
double apply_gradients(Model& model, Model gradients, Optimizer const& optimizer, State& state,
                       StepOptions const& options = {}) {
  check_options(options);
  double const norm = global_norm(gradients);
  gradients = scaled_to_norm(std::move(gradients), options.clip_norm, norm);
  std::tie(model, state) =
      options.rate ? optimizer.step(std::move(model), gradients, std::move(state), *options.rate)
                   : optimizer.step(std::move(model), gradients, std::move(state));
  return norm;
}

/// One step of training: the gradients of `loss(model, batch)`, a scalar, clipped, change the model
/// and the state of the optimizer. Throws what the loss throws; model and state are then unchanged.
/// PyTorch: `loss.backward()`, `clip_grad_norm_`, `optimizer.step()`, `optimizer.zero_grad()`.
template <class Model, class Batch, class Loss, class Optimizer, class State>
  requires std::invocable<Loss const&, Model const&, Batch const&>
StepResult train_step(Model& model, Batch const& batch, Loss const& loss,
                      Optimizer const& optimizer, State& state, StepOptions const& options = {}) {
  check_options(options);
  auto [value, gradients] = value_and_grad([&](Model const& m) { return loss(m, batch); })(model);
  double const norm = apply_gradients(model, std::move(gradients), optimizer, state, options);
  return {static_cast<double>(value.item()), norm};
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::apply_gradients;
using internal::training::train_step;

}  // namespace tenon::training
