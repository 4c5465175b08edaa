#pragma once

// Variants of Adam beside AdamW.

#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include <tenon/optim/adamw.hpp>

namespace tenon {

/// The state of Adam, RAdam and LAMB: that of AdamW. PyTorch: `optimizer.state`.
template <class Tree>
using AdamState = AdamWState<Tree>;

/// Adam (Kingma and Ba, arXiv:1412.6980), with the L2 penalty as part of the gradients, of matrices
/// and tensors of higher rank; `AdamW` decays the parameters instead. PyTorch:
/// `torch.optim.Adam(lr, betas, eps, weight_decay, amsgrad, maximize)`, with the same defaults.
struct Adam {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool amsgrad = false;  ///< Divides by the largest mean square so far (Reddi et al., 2018).
  bool maximize = false;

  template <class Tree>
  AdamState<Tree> init(Tree const& model) const {
    return internal::optim::adam_state(model, amsgrad);
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdamState<Tree>> step(Tree model, Tree const& gradients, AdamState<Tree> state,
                                        std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  static auto slots(auto& state) { return internal::optim::adam_slots(state); }
  auto scalars(auto const& state, double rate_now) const {
    return internal::optim::adam_scalars(*this, state.steps, rate_now);
  }
  void update(auto const& now, internal::optim::LeafOptions const& leaf, auto&... rows) const {
    internal::optim::take_adam_step(*this, now, leaf, rows...);
  }
};

/// RAdam: Adam with the variance of its first steps rectified (Liu et al., arXiv:1908.03265).
/// Weight decay applies to matrices and tensors of higher rank: to the gradients, or decoupled as
/// in AdamW. PyTorch: `torch.optim.RAdam`, with the same defaults.
struct RAdam {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool decoupled_weight_decay = false;
  bool maximize = false;

  template <class Tree>
  AdamState<Tree> init(Tree const& model) const {
    return {internal::optim::zeros_of(model), internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdamState<Tree>> step(Tree model, Tree const& gradients, AdamState<Tree> state,
                                        std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  static auto slots(auto& state) { return std::tie(state.mean, state.mean_square); }
  auto scalars(auto const& state, double rate_now) const {
    auto const t = static_cast<double>(state.steps.item());
    double const power = std::pow(beta2, t), rest = 1 - power, limit = 2 / (1 - beta2) - 1;
    double const length = limit - 2 * t * power / rest;
    internal::optim::AdamScalars<double> now{1, 1 - rate_now * weight_decay,
                                             rate_now / (1 - std::pow(beta1, t)), 0, 1};
    if (!(length > 5)) return now;  // the variance is not tractable: momentum alone
    now.step *= std::sqrt(rest * (length - 4) * (length - 2) * limit /
                          ((limit - 4) * (limit - 2) * length));
    now.root = 1, now.epsilon = epsilon;
    return now;
  }
  void update(auto const& now, internal::optim::LeafOptions const& leaf, auto&... rows) const {
    internal::optim::take_adam_step(*this, now, leaf, rows...);
  }
};

/// The state of NAdam between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct NAdamState {
  Tree mean;         ///< Running mean of the gradients.
  Tree mean_square;  ///< Running mean of their squares.
  std::int64_t steps = 0;
  double momentum_product = 1;  ///< Of the momenta of all steps.
};

/// NAdam: Adam with Nesterov momentum (Dozat, 2016). Weight decay applies to matrices and tensors
/// of higher rank: to the gradients, or decoupled as in AdamW. PyTorch: `torch.optim.NAdam`, with
/// the same defaults.
struct NAdam {
  double rate = 2e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  double momentum_decay = 4e-3;
  bool decoupled_weight_decay = false;
  bool maximize = false;

  template <class Tree>
  NAdamState<Tree> init(Tree const& model) const {
    return {internal::optim::zeros_of(model), internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, NAdamState<Tree>> step(Tree model, Tree const& gradients, NAdamState<Tree> state,
                                         std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  struct Scalars {
    double decayed;         ///< 1 - rate weight_decay, where decoupled.
    double gradient, mean;  ///< The rates of these two.
    double root;            ///< 1 / sqrt(1 - beta2^t)
  };

  static auto slots(auto& state) { return std::tie(state.mean, state.mean_square); }
  double momentum_at(double t) const {
    return beta1 * (1 - 0.5 * std::pow(0.96, t * momentum_decay));
  }
  void advance(auto& state) const {
    state.momentum_product *= momentum_at(static_cast<double>(++state.steps));
  }
  Scalars scalars(auto const& state, double rate_now) const {
    auto const t = static_cast<double>(state.steps);
    double const now = momentum_at(t), next = momentum_at(t + 1);
    return {1 - rate_now * weight_decay, rate_now * (1 - now) / (1 - state.momentum_product),
            rate_now * next / (1 - state.momentum_product * next),
            1 / std::sqrt(1 - std::pow(beta2, t))};
  }
  template <TensorType Row>
  void update(Scalars const& now, internal::optim::LeafOptions const& leaf, Row& parameter,
              Row const& gradient, Row& mean, Row& mean_square) const {
    using namespace internal::optim;
    double const kept = Step::decays_parameters(*this, leaf) ? now.decayed : 1;
    set_rows(std::array{&mean, &mean_square, &parameter},
             running_sum(mean, beta1, 1 - beta1, gradient),
             running_sum(mean_square, beta2, 1 - beta2, square(gradient)),
             [&](Row const& m, Row const& v) {
               return kept * std::move(parameter) -
                      (now.gradient * gradient + now.mean * m) / (now.root * sqrt(v) + epsilon);
             });
  }
};

/// The state of Adamax between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct AdamaxState {
  Tree mean;  ///< Running mean of the gradients.
  Tree norm;  ///< Their decaying maximum.
  std::int64_t steps = 0;
};

/// Adamax: Adam with the infinity norm (Kingma and Ba, arXiv:1412.6980, section 7). Weight decay is
/// added to the gradients, of matrices and tensors of higher rank. PyTorch: `torch.optim.Adamax`,
/// with the same defaults.
struct Adamax {
  double rate = 2e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool maximize = false;

  template <class Tree>
  AdamaxState<Tree> init(Tree const& model) const {
    return {internal::optim::zeros_of(model), internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdamaxState<Tree>> step(Tree model, Tree const& gradients,
                                          AdamaxState<Tree> state,
                                          std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  static auto slots(auto& state) { return std::tie(state.mean, state.norm); }
  double scalars(auto const& state, double rate_now) const {
    return rate_now / (1 - std::pow(beta1, static_cast<double>(state.steps)));
  }
  template <TensorType Row>
  void update(double step, internal::optim::LeafOptions const&, Row& parameter, Row const& gradient,
              Row& mean, Row& norm) const {
    using namespace internal::optim;
    set_rows(std::array{&mean, &norm, &parameter}, running_sum(mean, beta1, 1 - beta1, gradient),
             maximum(beta2 * std::move(norm), abs(gradient) + epsilon),
             [&](Row const& m, Row const& n) { return std::move(parameter) - step * m / n; });
  }
};

}  // namespace tenon
