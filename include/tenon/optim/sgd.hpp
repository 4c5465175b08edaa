#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include <tenon/optim/step.hpp>

namespace tenon {

/// The state of SGD between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct SGDState {
  Tree velocity;
  std::optional<std::int64_t> steps{};  ///< With dampening: the first step has none.
};

/// Stochastic gradient descent with momentum: velocity = momentum velocity + (1 - dampening)
/// gradient, model = model - rate velocity; of Nesterov: - rate (gradient + momentum velocity). The
/// first step is not dampened. Weight decay is added to the gradients, of matrices and tensors of
/// higher rank. PyTorch: `torch.optim.SGD(lr, momentum, dampening, weight_decay, nesterov,
/// maximize)`.
struct SGD {
  double rate = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;

  template <class Tree>
  SGDState<Tree> init(Tree const& model) const {
    SGDState<Tree> state{internal::optim::zeros_of(model)};
    if (dampening != 0) state.steps = 0;
    return state;
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
    return internal::optim::Step::take(*this, std::move(model), gradients, std::move(state),
                                       rate_now);
  }

 private:
  friend internal::optim::Step;

  struct Scalars {
    double rate, dampening;
  };

  template <class State>
  static auto slots(State& state) {
    return std::tie(state.velocity);
  }
  template <class State>
  static void advance(State& state) {
    if (state.steps) ++*state.steps;
  }
  template <class State>
  Scalars scalars(State const& state, double rate_now) const {
    return {rate_now, state.steps == 1 ? 0 : dampening};
  }
  template <TensorType Leaf>
  void update(Scalars const& now, internal::optim::LeafOptions const& leaf, Leaf& parameter,
              Leaf const& gradient, Leaf& velocity) const {
    using namespace internal::optim;
    Leaf const all = with_decay(gradient, leaf.decays ? weight_decay : 0, parameter);
    if (momentum == 0) velocity = all;  // shared, not copied
    else add_to_velocity(velocity, now.dampening, all);
    if (!nesterov) subtract(parameter, now.rate, velocity);
    else
      set_row(parameter,
              row_of(parameter) - now.rate * (row_of(all) + momentum * row_of(velocity)));
  }

  /// velocity = momentum velocity + (1 - dampening) gradient.
  template <TensorType Leaf>
  void add_to_velocity(Leaf& velocity, double dampening_now, Leaf gradient) const {
    using namespace internal::optim;
    if (dampening_now != 0) subtract(gradient, dampening_now, gradient);
    set_row(velocity, momentum * row_of(velocity) + row_of(gradient));
  }
};

}  // namespace tenon
