#pragma once

#include <array>
#include <tuple>
#include <utility>

#include <tenon/optim/step.hpp>

namespace tenon {

/// The state of Lion between steps: a plain tree. Optax: `ScaleByLionState`.
template <class Tree>
struct LionState {
  Tree mean;  ///< Running mean of the gradients.
};

/// Lion (Chen et al., arXiv:2302.06675): steps of the sign of beta1 mean + (1 - beta1) gradient,
/// with decoupled weight decay of matrices and tensors of higher rank. Its rate is 3 to 10 times
/// smaller than that of AdamW, its weight decay as many times larger. Optax: `lion`, with the same
/// defaults but for the weight decay.
struct Lion {
  double rate = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;

  template <class Tree>
  LionState<Tree> init(Tree const& model) const {
    return {internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, LionState<Tree>> step(Tree model, Tree const& gradients, LionState<Tree> state,
                                        std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  static constexpr bool decoupled_weight_decay = true;
  static auto slots(auto& state) { return std::tie(state.mean); }
  template <TensorType Row>
  void update(double rate_now, internal::optim::LeafOptions const& leaf, Row& parameter,
              Row const& gradient, Row& mean) const {
    using namespace internal::optim;
    double const kept = leaf.decays ? 1 - rate_now * weight_decay : 1;
    set_rows(std::array{&parameter, &mean},
             kept * std::move(parameter) - rate_now * sign(beta1 * mean + (1 - beta1) * gradient),
             [&](Row const&) { return running_sum(mean, beta2, 1 - beta2, gradient); });
  }
};

}  // namespace tenon
