#pragma once

// Optimisers that divide by the root of running squares, without running means of gradients.

#include <algorithm>
#include <array>
#include <cstddef>
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
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, RMSpropState<Tree>> step(Tree model, Tree const& gradients,
                                           RMSpropState<Tree> state,
                                           std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  static auto slots(auto& state) {  // a slot that is not used stands for another one
    auto& squares = state.mean_square;
    return std::tie(squares, state.mean ? *state.mean : squares,
                    state.velocity ? *state.velocity : squares);
  }
  template <TensorType Row>
  void update(double rate_now, internal::optim::LeafOptions const&, Row& parameter,
              Row const& gradient, Row& mean_square, Row& mean, Row& velocity) const {
    using namespace internal::optim;
    auto squares = running_sum(mean_square, alpha, 1 - alpha, square(gradient));
    if (!centered) {
      auto const raw = [](Row const& of_squares) { return of_squares; };
      take_step(rate_now, parameter, gradient, velocity, std::array{&mean_square}, raw,
                std::move(squares));
    } else {
      auto const variance = [](Row const& of_squares, Row const& m) {  // not negative by rounding
        return maximum(of_squares - square(m), 0);
      };
      take_step(rate_now, parameter, gradient, velocity, std::array{&mean_square, &mean}, variance,
                std::move(squares), running_sum(mean, alpha, 1 - alpha, gradient));
    }
  }

  /// `e` are the expressions of the running means, `squares` a function of them.
  template <TensorType Row, std::size_t n, class Squares, class... E>
  void take_step(double rate_now, Row& parameter, Row const& gradient, Row& velocity,
                 std::array<Row*, n> const& means, Squares const& squares, E&&... e) const {
    using namespace internal::optim;
    std::array<Row*, n + 2> rows{};
    std::copy(means.begin(), means.end(), rows.begin());
    rows[n] = momentum == 0 ? &parameter : &velocity;
    rows[n + 1] = &parameter;
    if (momentum == 0)
      return set_rows(rows, std::move(e)..., [&](auto const&... m) {
        return quotient_step(parameter, 1.0, rate_now, gradient, 1.0, squares(m...), epsilon);
      });
    auto const next_velocity = [&](auto const&... m) {
      return quotient_step(velocity, momentum, -1.0, gradient, 1.0, squares(m...), epsilon);
    };
    set_rows(rows, std::move(e)..., next_velocity, [&](auto const&... earlier) {
      return scaled_difference(parameter, rate_now, std::get<n>(std::tie(earlier...)));
    });
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
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdagradState<Tree>> step(Tree model, Tree const& gradients,
                                           AdagradState<Tree> state,
                                           std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  static auto slots(auto& state) { return std::tie(state.sum); }
  double scalars(auto const& state, double rate_now) const {
    return rate_now / (1 + static_cast<double>(state.steps - 1) * rate_decay);
  }
  template <TensorType Row>
  void update(double rate_now, internal::optim::LeafOptions const&, Row& parameter,
              Row const& gradient, Row& sum) const {
    using namespace internal::optim;
    set_rows(std::array{&sum, &parameter}, running_sum(sum, 1, 1, square(gradient)),
             [&](Row const& squares) {
               return quotient_step(parameter, 1.0, rate_now, gradient, 1.0, squares, epsilon);
             });
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
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdadeltaState<Tree>> step(Tree model, Tree const& gradients,
                                            AdadeltaState<Tree> state,
                                            std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  static auto slots(auto& state) { return std::tie(state.mean_square, state.mean_square_delta); }
  template <TensorType Row>
  void update(double rate_now, internal::optim::LeafOptions const&, Row& parameter,
              Row const& gradient, Row& mean_square, Row& mean_square_delta) const {
    using namespace internal::optim;
    Row delta = gradient;
    auto squares = running_sum(mean_square, rho, 1 - rho, square(delta));
    set_rows(
        std::array{&mean_square, &delta, &mean_square_delta, &parameter}, std::move(squares),
        [&](Row const& of_gradients) {
          return sqrt(mean_square_delta + epsilon) / sqrt(of_gradients + epsilon) *
                 std::move(delta);
        },
        [&](Row const&, Row const& d) {
          return running_sum(mean_square_delta, rho, 1 - rho, square(d));
        },
        [&](Row const&, Row const& d, Row const&) {
          return scaled_difference(parameter, rate_now, d);
        });
  }
};

}  // namespace tenon
