#pragma once

// Optimisers that divide by the root of running squares, without running means of gradients.

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include <tenon/optim/step.hpp>

namespace tenon {

/// The state of RMSprop between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct RMSpropState {
  Tree mean_square;                ///< Running mean of the squares of the gradients.
  std::optional<Tree> mean{};      ///< That of the gradients, where centered.
  std::optional<Tree> velocity{};  ///< With momentum.
};

/// RMSprop (Hinton, lecture 6e, 2012): steps of gradient / (sqrt(mean_square) + epsilon), with
/// momentum, and of centered with the variance in place of the mean square. Weight decay is added
/// to the gradients, of matrices and tensors of higher rank. PyTorch: `torch.optim.RMSprop(lr,
/// alpha, eps, weight_decay, momentum, centered)`, with the same defaults.
struct RMSprop {
  double rate = 1e-2;
  double alpha = 0.99;
  double epsilon = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
  bool maximize = false;

  template <class Tree>
  RMSpropState<Tree> init(Tree const& model) const {
    using internal::optim::zeros_of;
    RMSpropState<Tree> state{zeros_of(model)};
    if (centered) state.mean = zeros_of(model);
    if (momentum != 0) state.velocity = zeros_of(model);
    return state;
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, RMSpropState<Tree>> step(Tree model, Tree const& gradients,
                                           RMSpropState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same with another learning rate, from a schedule.
  template <class Tree>
  std::pair<Tree, RMSpropState<Tree>> step(Tree model, Tree const& gradients,
                                           RMSpropState<Tree> state, double rate_now) const {
    return internal::optim::Step::take(*this, std::move(model), gradients, std::move(state),
                                       rate_now);
  }

 private:
  friend internal::optim::Step;

  template <class State>
  static auto slots(State& state) {  // a slot that is not used stands for another one
    auto& squares = state.mean_square;
    return std::tie(squares, state.mean ? *state.mean : squares,
                    state.velocity ? *state.velocity : squares);
  }
  template <class State>
  double scalars(State const&, double rate_now) const {
    return rate_now;
  }
  template <TensorType Leaf>
  void update(double rate_now, internal::optim::LeafOptions const& leaf, Leaf& parameter,
              Leaf const& gradient, Leaf& mean_square, Leaf& mean, Leaf& velocity) const {
    using namespace internal::optim;
    Leaf const all = with_decay(gradient, leaf.decays ? weight_decay : 0, parameter);
    accumulate_squares(mean_square, alpha, 1 - alpha, all);
    Leaf const squares = centered ? variance(all, mean_square, mean) : mean_square;
    if (momentum == 0)
      return subtract_quotient(parameter, 1.0, rate_now, all, 1.0, squares, epsilon);
    subtract_quotient(velocity, momentum, -1.0, all, 1.0, squares, epsilon);
    subtract(parameter, rate_now, velocity);
  }

  /// That of the gradients, not negative by rounding; `mean` is updated.
  template <TensorType Leaf>
  Leaf variance(Leaf const& gradient, Leaf const& mean_square, Leaf& mean) const {
    using namespace internal::optim;
    accumulate(mean, alpha, 1 - alpha, gradient);
    Leaf result = mean;
    set_row(result, maximum(row_of(mean_square) - square(row_of(mean)), 0));
    return result;
  }
};

/// The state of Adagrad between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct AdagradState {
  Tree sum;  ///< Of the squares of the gradients.
  std::int64_t steps = 0;
};

/// Adagrad (Duchi et al., 2011): steps of gradient / (sqrt(sum of squares) + epsilon), with a rate
/// of rate / (1 + (t - 1) rate_decay). Weight decay is added to the gradients, of matrices and
/// tensors of higher rank. PyTorch: `torch.optim.Adagrad(lr, lr_decay, weight_decay,
/// initial_accumulator_value, eps)`, with the same defaults.
struct Adagrad {
  double rate = 1e-2;
  double rate_decay = 0;
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double epsilon = 1e-10;
  bool maximize = false;

  template <class Tree>
  AdagradState<Tree> init(Tree const& model) const {
    return {internal::optim::filled_like(model, initial_accumulator_value)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdagradState<Tree>> step(Tree model, Tree const& gradients,
                                           AdagradState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same with another learning rate, from a schedule.
  template <class Tree>
  std::pair<Tree, AdagradState<Tree>> step(Tree model, Tree const& gradients,
                                           AdagradState<Tree> state, double rate_now) const {
    return internal::optim::Step::take(*this, std::move(model), gradients, std::move(state),
                                       rate_now);
  }

 private:
  friend internal::optim::Step;

  template <class State>
  static auto slots(State& state) {
    return std::tie(state.sum);
  }
  template <class State>
  double scalars(State const& state, double rate_now) const {
    return rate_now / (1 + static_cast<double>(state.steps - 1) * rate_decay);
  }
  template <TensorType Leaf>
  void update(double rate_now, internal::optim::LeafOptions const& leaf, Leaf& parameter,
              Leaf const& gradient, Leaf& sum) const {
    using namespace internal::optim;
    Leaf const all = with_decay(gradient, leaf.decays ? weight_decay : 0, parameter);
    accumulate_squares(sum, 1, 1, all);
    subtract_quotient(parameter, 1.0, rate_now, all, 1.0, sum, epsilon);
  }
};

/// The state of Adadelta between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct AdadeltaState {
  Tree mean_square;        ///< Running mean of the squares of the gradients.
  Tree mean_square_delta;  ///< That of the squares of the steps.
};

/// Adadelta (Zeiler, arXiv:1212.5701). Weight decay is added to the gradients, of matrices and
/// tensors of higher rank. PyTorch: `torch.optim.Adadelta(lr, rho, eps, weight_decay)`, with the
/// same defaults.
struct Adadelta {
  double rate = 1;
  double rho = 0.9;
  double epsilon = 1e-6;
  double weight_decay = 0;
  bool maximize = false;

  template <class Tree>
  AdadeltaState<Tree> init(Tree const& model) const {
    return {internal::optim::zeros_of(model), internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdadeltaState<Tree>> step(Tree model, Tree const& gradients,
                                            AdadeltaState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same with another learning rate, from a schedule.
  template <class Tree>
  std::pair<Tree, AdadeltaState<Tree>> step(Tree model, Tree const& gradients,
                                            AdadeltaState<Tree> state, double rate_now) const {
    return internal::optim::Step::take(*this, std::move(model), gradients, std::move(state),
                                       rate_now);
  }

 private:
  friend internal::optim::Step;

  template <class State>
  static auto slots(State& state) {
    return std::tie(state.mean_square, state.mean_square_delta);
  }
  template <class State>
  double scalars(State const&, double rate_now) const {
    return rate_now;
  }
  template <TensorType Leaf>
  void update(double rate_now, internal::optim::LeafOptions const& leaf, Leaf& parameter,
              Leaf const& gradient, Leaf& mean_square, Leaf& mean_square_delta) const {
    using namespace internal::optim;
    Leaf delta = with_decay(gradient, leaf.decays ? weight_decay : 0, parameter);
    accumulate_squares(mean_square, rho, 1 - rho, delta);
    set_row(delta, sqrt(row_of(mean_square_delta) + epsilon) / sqrt(row_of(mean_square) + epsilon) *
                       row_of(delta));
    accumulate_squares(mean_square_delta, rho, 1 - rho, delta);
    subtract(parameter, rate_now, delta);
  }
};

}  // namespace tenon
