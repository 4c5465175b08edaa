#pragma once

#include <array>
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
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, SGDState<Tree>> step(Tree model, Tree const& gradients, SGDState<Tree> state,
                                       std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  struct Scalars {
    double rate, dampening;
  };

  static auto slots(auto& state) { return std::tie(state.velocity); }
  static void advance(auto& state) {
    if (state.steps) ++*state.steps;
  }
  Scalars scalars(auto const& state, double rate_now) const {
    return {rate_now, state.steps == 1 ? 0 : dampening};
  }
  template <TensorType Row>
  void update(Scalars const& now, internal::optim::LeafOptions const&, Row& parameter,
              Row const& gradient, Row& velocity) const {
    using namespace internal::optim;
    auto const plain = [&](Row const& v) { return scaled_difference(parameter, now.rate, v); };
    auto const ahead = [&](Row const& v) {
      return std::move(parameter) - now.rate * (gradient + momentum * v);
    };
    if (momentum == 0) {
      velocity = gradient;  // shared, not copied
      parameter = nesterov ? Row(ahead(gradient)) : Row(plain(gradient));
      return;
    }
    Row const added = now.dampening == 0 ? gradient : Row(gradient - now.dampening * gradient);
    if (nesterov)
      set_rows(std::array{&velocity, &parameter}, momentum * std::move(velocity) + added, ahead);
    else set_rows(std::array{&velocity, &parameter}, momentum * std::move(velocity) + added, plain);
  }
};

}  // namespace tenon
