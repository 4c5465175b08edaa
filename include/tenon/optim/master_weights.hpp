#pragma once

#include <concepts>
#include <utility>

#include <tenon/eval/move_tree.hpp>
#include <tenon/optim/leaves.hpp>

namespace tenon {

/// The state of `MasterWeights` between steps: a plain tree.
template <class Master, class State>
struct MasterWeightsState {
  Master master;  ///< The parameters in float32.
  State state;    ///< That of the optimizer of them.
};

/// An optimizer of a model of 16-bit parameters, `Model<bfloat16>`: it changes float32 parameters,
/// which the state holds, and rounds them to those of the model, so that changes too small for 16
/// bits add up (Micikevicius et al., arXiv:1710.03740). The model is a template of its dtype.
/// Apex: `amp` with `master_weights=True`.
template <class Optimizer>
struct MasterWeights {
  Optimizer optimizer{};

  template <class Tree>
  auto init(Tree const& model) const {
    auto master = to<float>(model);
    auto state = optimizer.init(master);
    return MasterWeightsState<decltype(master), decltype(state)>{std::move(master),
                                                                 std::move(state)};
  }

  /// The model and the state after one step; `rate` as of the optimizer. A pure function: lvalue
  /// arguments are unchanged. Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree, class Master, class State, std::convertible_to<double>... Rate>
    requires(sizeof...(Rate) <= 1)
  std::pair<Tree, MasterWeightsState<Master, State>> step(Tree const&, Tree const& gradients,
                                                          MasterWeightsState<Master, State> of,
                                                          Rate... rate) const {
    auto [master, state] =
        optimizer.step(std::move(of.master), to<float>(gradients), std::move(of.state), rate...);
    Tree model = internal::move_tree<Tree>(master);
    return {std::move(model), {std::move(master), std::move(state)}};
  }
};

template <class Optimizer>
MasterWeights(Optimizer) -> MasterWeights<Optimizer>;

}  // namespace tenon
