#pragma once

#include <cmath>
#include <tuple>
#include <utility>

#include <tenon/optim/adam.hpp>
#include <tenon/optim/clip.hpp>

namespace tenon {

/// LAMB (You et al., arXiv:1904.00962), for large batches: the direction of Adam with decoupled
/// weight decay, which applies to matrices and tensors of higher rank, scaled in each tensor by the
/// quotient of the norms of parameter and direction (1 where one of them is 0). Optax: `lamb`, with
/// the same defaults.
struct LAMB {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-6;
  double weight_decay = 0;

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

  static constexpr bool decoupled_weight_decay = true;
  struct Scalars {
    double rate;
    internal::optim::AdamScalars<double> adam;  ///< Of the direction.
  };

  static auto slots(auto& state) { return std::tie(state.mean, state.mean_square); }
  Scalars scalars(auto const& state, double rate_now) const {
    auto adam = internal::optim::adam_scalars(*this, to<Cpu>(state.steps), 1.0);
    adam.whole = 0, adam.decayed = weight_decay, adam.step *= -1;
    return {rate_now, adam};
  }
  template <TensorType Row>
  void update(Scalars const& now, internal::optim::LeafOptions const& leaf, Row& parameter,
              Row const& gradient, Row& mean, Row& mean_square) const {
    using namespace internal::optim;
    Row direction = parameter;
    take_adam_step(*this, now.adam, leaf, direction, gradient, mean, mean_square);
    double const trust = std::sqrt(sum_of_squares(parameter) / sum_of_squares(direction));
    double const scale = now.rate * (trust > 0 && std::isfinite(trust) ? trust : 1);
    parameter = scaled_difference(parameter, scale, direction);
  }
};

}  // namespace tenon
