#pragma once

#include <utility>

#include <tenon/optim/leaves.hpp>

namespace tenon {

/// The state of SGD between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct SGDState {
  Tree velocity;
};

/// Stochastic gradient descent with momentum: velocity = momentum velocity + gradient,
/// model = model - rate velocity. PyTorch: `torch.optim.SGD(lr, momentum)`.
struct SGD {
  double rate = 1e-3;
  double momentum = 0;

  template <class Tree>
  SGDState<Tree> init(Tree const& model) const {
    return {internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, SGDState<Tree>> step(Tree model, Tree const& gradients,
                                       SGDState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same with another learning rate, from a schedule.
  template <class Tree>
  std::pair<Tree, SGDState<Tree>> step(Tree model, Tree const& gradients, SGDState<Tree> state,
                                       double rate_now) const {
    internal::tree::zip(
        [&](auto& parameter, auto const& gradient, auto& velocity) {
          using internal::optim::row_of;
          if (momentum == 0) velocity = gradient;  // shared, not copied
          else internal::optim::set_row(velocity, momentum * row_of(velocity) + row_of(gradient));
          internal::optim::set_row(parameter, row_of(parameter) - rate_now * row_of(velocity));
        },
        model, gradients, state.velocity);
    return {std::move(model), std::move(state)};
  }
};

}  // namespace tenon
