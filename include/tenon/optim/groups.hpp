#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/optim/path_pattern.hpp>
#include <tenon/optim/step.hpp>

namespace tenon {

/// The parameters whose paths match a pattern, `encoder.*` or `*.bias` (`*`: any characters), and
/// their options; those that are not given are the optimizer's. PyTorch: a dict of `param_groups`.
struct ParameterGroup {
  std::string paths;
  std::optional<double> rate{};          ///< 0: these parameters do not change.
  std::optional<double> weight_decay{};  ///< Also of vectors.
};

/// An optimizer with other learning rates or weight decays for some parameters: those of the first
/// group whose pattern matches. PyTorch: `torch.optim.AdamW([{'params': ..., 'lr': ...}, ...])`.
///
///     ParameterGroups const adam{AdamW{}, {{.paths = "embedding.*", .rate = 1e-4}}};
template <class Optimizer>
struct ParameterGroups {
  Optimizer optimizer{};
  std::vector<ParameterGroup> groups{};

  /// The state of the optimizer. Throws `ValueError` where a pattern matches no parameter.
  template <class Tree>
  auto init(Tree const& model) const {
    for (auto const& group : groups)
      internal::optim::check_matches(group.paths, internal::tree::paths(model));
    return optimizer.init(model);
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree, class State>
  std::pair<Tree, State> step(Tree model, Tree const& gradients, State state) const {
    return step(std::move(model), gradients, std::move(state), optimizer.rate);
  }

  /// The same with another learning rate of the optimizer, from a schedule: those of the groups
  /// change in proportion.
  template <class Tree, class State>
  std::pair<Tree, State> step(Tree model, Tree const& gradients, State state,
                              double rate_now) const {
    using internal::optim::Step;
    Step::advance(optimizer, state);
    std::vector const prepared = prepare(state, rate_now);
    std::vector<internal::optim::LeafBatches> batches(prepared.size());
    Step::update_leaves<Optimizer>(
        [&]<class Leaf>(internal::tree::Path const& path, Leaf& parameter, auto&... rest) {
          std::size_t const group = group_of(path);
          auto const& chosen = prepared[group];
          if (chosen.is_frozen) return;
          bool const decays = chosen.decays.value_or(internal::optim::is_decayed<Leaf>);
          Step::update(chosen.optimizer, chosen.scalars, {path, decays, &batches[group]}, parameter,
                       rest...);
        },
        model, gradients, state);
    for (auto& batch : batches) batch.run();
    return {std::move(model), std::move(state)};
  }

 private:
  /// The optimizer with the options of a group, and the scalars of its step.
  template <class Scalars>
  struct Prepared {
    Optimizer optimizer;
    Scalars scalars;
    bool is_frozen;
    std::optional<bool> decays;
  };

  /// For every group, and for all other parameters.
  template <class State>
  auto prepare(State const& state, double rate_now) const {
    using internal::optim::Step;
    using Scalars = decltype(Step::scalars_of(optimizer, state, rate_now));
    std::vector<Prepared<Scalars>> prepared;
    auto const add = [&](Optimizer const& changed, double rate, std::optional<double> decay) {
      prepared.push_back({changed, Step::scalars_of(changed, state, rate), rate == 0,
                          decay ? std::optional(*decay != 0) : std::nullopt});
    };
    for (auto const& group : groups) {
      Optimizer changed = optimizer;
      changed.weight_decay = group.weight_decay.value_or(optimizer.weight_decay);
      add(changed,
          group.rate ? internal::optim::in_proportion(*group.rate, rate_now, optimizer.rate)
                     : rate_now,
          group.weight_decay);
    }
    add(optimizer, rate_now, {});
    return prepared;
  }

  std::size_t group_of(std::string const& path) const {
    std::size_t found = 0;
    while (found < groups.size() && !internal::optim::matches(groups[found].paths, path)) ++found;
    return found;
  }
};

template <class Optimizer>
ParameterGroups(Optimizer, std::vector<ParameterGroup>) -> ParameterGroups<Optimizer>;

/// The model where the parameters whose paths match a pattern do not learn: in a loss,
/// `f(freeze(model, "encoder.*"))`, they have gradients of zero. (Weight decay still changes them:
/// a `ParameterGroup` with rate 0 does not.) A field that never learns is `Frozen<>`. Throws
/// `ValueError` where the pattern matches no parameter. PyTorch: `requires_grad_(False)`.
template <class Tree>
Tree freeze(Tree const& model, std::string_view paths) {
  internal::optim::check_matches(paths, internal::tree::paths(model));
  return internal::tree::map(
      [&]<class Leaf>(internal::tree::Path const& path, Leaf const& leaf) -> Leaf {
        return internal::optim::matches(paths, path.text()) ? Leaf(stop_gradient(leaf)) : leaf;
      },
      model);
}

}  // namespace tenon
