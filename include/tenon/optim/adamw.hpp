#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include <tenon/optim/step.hpp>

namespace tenon {

/// The state of AdamW between steps: a plain tree, on the device of the model (so that a captured
/// step also advances its counter). PyTorch: `optimizer.state`.
template <class Tree>
struct AdamWState {
  using Steps = Tensor<std::int64_t, "", internal::tree::DeviceOf<Tree>>;

  Tree mean;         ///< Running mean of the gradients.
  Tree mean_square;  ///< Running mean of their squares.
  Steps steps = Steps(0);
  std::optional<Tree> max_mean_square{};  ///< The largest so far, of AMSGrad.
};

}  // namespace tenon

namespace tenon::internal::optim {

/// The scalars of a step, the same for every element.
template <class Number>
struct AdamScalars {
  Number whole;    ///< 1
  Number decayed;  ///< 1 - rate weight_decay
  Number step;     ///< rate / (1 - beta1^t)
  Number root;     ///< 1 / sqrt(1 - beta2^t)
  double epsilon;
};

/// On the host, in double,
template <class Adam, TensorType Steps, class R>
  requires Steps::device::is_host
AdamScalars<double> adam_scalars(Adam const& adam, Steps const& steps, R const& rate) {
  auto const t = static_cast<double>(steps.item());
  auto const now = static_cast<double>(number_of(rate));
  return {1, 1 - now * adam.weight_decay, now / (1 - std::pow(adam.beta1, t)),
          1 / std::sqrt(1 - std::pow(adam.beta2, t)), adam.epsilon};
}

/// or on a device with its own counter, in float: 1 - beta^t without cancellation.
template <class Adam, TensorType Steps, class R>
auto adam_scalars(Adam const& adam, Steps const& steps, R const& rate) {
  using Scalar = Float32<"", typename Steps::device>;
  Scalar const t = to<float>(steps), now = rate_tensor<Scalar>(rate);
  auto const rest = [&](double beta) { return -expm1(t * std::log(beta)); };
  return AdamScalars<Scalar>{Scalar(1.0f), Scalar(1.0 - now * adam.weight_decay),
                             Scalar(now / rest(adam.beta1)), Scalar(rsqrt(rest(adam.beta2))),
                             adam.epsilon};
}

/// A step: the running means of the gradients and of their squares, then the parameter.
template <class Adam, class Number, TensorType Row>
void take_adam_step(Adam const& adam, AdamScalars<Number> const& now, LeafOptions const& leaf,
                    Row& parameter, Row const& gradient, Row& mean, Row& mean_square) {
  set_rows(std::array{&mean, &mean_square, &parameter},
           running_sum(mean, adam.beta1, Step::gradient_weight(adam, adam.beta1), gradient),
           running_sum(mean_square, adam.beta2, 1 - adam.beta2, square(gradient)),
           [&](Row const& m, Row const& v) {
             auto const& kept = Step::decays_parameters(adam, leaf) ? now.decayed : now.whole;
             return quotient_step(parameter, kept, now.step, m, now.root, v, now.epsilon);
           });
}
/// The same with AMSGrad where chosen: it divides by the largest mean of squares so far.
template <class Adam, class Number, TensorType Row>
void take_adam_step(Adam const& adam, AdamScalars<Number> const& now, LeafOptions const& leaf,
                    Row& parameter, Row const& gradient, Row& mean, Row& mean_square,
                    Row& largest) {
  if (!adam.amsgrad) return take_adam_step(adam, now, leaf, parameter, gradient, mean, mean_square);
  set_rows(
      std::array{&mean, &mean_square, &largest, &parameter},
      running_sum(mean, adam.beta1, Step::gradient_weight(adam, adam.beta1), gradient),
      running_sum(mean_square, adam.beta2, 1 - adam.beta2, square(gradient)),
      [&](Row const&, Row const& v) { return maximum(std::move(largest), v); },
      [&](Row const& m, Row const&, Row const& v) {
        auto const& kept = Step::decays_parameters(adam, leaf) ? now.decayed : now.whole;
        return quotient_step(parameter, kept, now.step, m, now.root, v, now.epsilon);
      });
}

template <class Tree>
AdamWState<Tree> adam_state(Tree const& model, bool amsgrad) {
  AdamWState<Tree> state{zeros_of(model), zeros_of(model)};
  if (amsgrad) state.max_mean_square = zeros_of(model);
  return state;
}
auto adam_slots(auto& state) {  // a slot that is not used stands for another one
  return std::tie(state.mean, state.mean_square,
                  state.max_mean_square ? *state.max_mean_square : state.mean_square);
}

}  // namespace tenon::internal::optim

namespace tenon {

/// Adam with decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101). Weight decay applies
/// to matrices and tensors of higher rank, not to vectors. PyTorch: `torch.optim.AdamW(lr, betas,
/// eps, weight_decay, amsgrad, maximize)`, with the same defaults.
struct AdamW {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 1e-2;
  bool amsgrad = false;  ///< Divides by the largest mean square so far (Reddi et al., 2018).
  bool maximize = false;

  template <class Tree>
  AdamWState<Tree> init(Tree const& model) const {
    return internal::optim::adam_state(model, amsgrad);
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients,
                                         AdamWState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same with another learning rate, from a schedule: a number, or a scalar on the model's
  /// device.
  template <class Tree, internal::optim::Rate Rate>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients, AdamWState<Tree> state,
                                         Rate const& rate_now) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now);
  }

 private:
  friend internal::optim::Step;

  static constexpr bool decoupled_weight_decay = true, weighs_gradients = true;
  static auto slots(auto& state) { return internal::optim::adam_slots(state); }
  auto scalars(auto const& state, auto const& rate_now) const {
    return internal::optim::adam_scalars(*this, state.steps, rate_now);
  }
  void update(auto const& now, internal::optim::LeafOptions const& leaf, auto&... rows) const {
    internal::optim::take_adam_step(*this, now, leaf, rows...);
  }
};

}  // namespace tenon
