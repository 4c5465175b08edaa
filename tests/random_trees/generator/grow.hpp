#pragma once

#include "moving_steps.hpp"

/// Trees: leaves, followed by random steps until there are enough nodes.
namespace trees {

/// The largest rounding error of a value, or of a gradient, for which a comparison is meaningful: a
/// fraction of its magnitude, in units of float's epsilon.
inline constexpr double telling = 0.02 / 1.2e-7;

inline Tree leaves_of(Family const& family) {
  Tree tree;
  for (Leaf const& leaf : leaves()) {
    Node node{"l." + leaf.name, {}, family.shape(leaf), counting()};
    node.is_leaf = true;
    Range const range{leaf.low, leaf.high, 0, leaf.below < 0 ? 4 : 0};
    node.analysis.forward = [range](Ranges const&, Sizes const&) { return std::optional(range); };
    tree.nodes.push_back(node);
  }
  return tree;
}

using MakeStep = Step (*)(Growth const&);

/// The kinds of steps, in the proportions in which they are tried.
inline std::vector<MakeStep> const& steps() {
  static std::vector<MakeStep> const all{
      unary_step,        unary_step,        unary_step,        unary_step,        unary_step,
      binary_step,       binary_step,       binary_step,       binary_step,       binary_step,
      binary_step,       reduced_axes_step, reduced_axes_step, reduced_axes_step, reduced_axes_step,
      reduced_axes_step, slicing_step,      transposing_step,  transposing_step,  renaming_step,
      row_step,          joining_step,      gathering_step,    comparing_step,    comparing_step,
      rearranging_step,  multiplying_step,  multiplying_step};
  return all;
}

inline bool fits_a_test(Tree const& tree, Sizes const& sizes) {
  auto const ranges = ranges_of(tree, sizes);
  if (!ranges) return false;
  Range const& value = ranges->back();
  if (value.most() > 1e4 || value.error > telling * std::fmax(value.most(), 0.1)) return false;
  for (Adjoint const& adjoint : adjoints_of(tree, *ranges, sizes))
    if (!(adjoint.most < 1e4) || adjoint.error > telling * std::fmax(adjoint.most, 1)) return false;
  return true;
}

/// True if a name occurs twice, so that it does not identify an axis.
inline bool names_twice(Shape const& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!shape[i].name.empty() && find(shape, shape[i].name) != static_cast<int>(i)) return true;
  return false;
}

/// Adds a node to the tree if the result is suitable for a test.
inline bool grow(Draws& draws, Family const& family, Tree& tree) {
  bool const has_mask = tree.root().is_mask;
  MakeStep const make = has_mask ? choosing_step : draws.of(steps());
  Growth const from{draws, family, tree};
  Step step = draws.chance(50) ? normalising_step(from) : Step{};
  if (!step) step = make(from);
  if (!step || step->shape.size() > 4 || names_twice(step->shape)) return false;
  tree.nodes.push_back(*step);
  if (fits_a_test(tree, family.sizes)) return true;
  tree.nodes.pop_back();
  return false;
}

/// The number of ops on which the result depends.
inline int used_ops(Tree const& tree) {
  int number = 0;
  std::vector<int> const used = uses(tree);
  for (int i = 0; i < tree.size(); ++i)
    number += used[static_cast<std::size_t>(i)] > 0 && !tree.at(i).is_leaf ? 1 : 0;
  return number;
}

/// A tree whose result depends on the given number of ops.
inline Tree tree_of(Draws& draws, Family const& family, int ops) {
  for (;;) {
    Tree tree = leaves_of(family);
    for (int tries = 0; tries < 200 && used_ops(tree) < ops; ++tries) grow(draws, family, tree);
    bool const is_number = !tree.root().is_mask && !tree.root().is_leaf;
    if (is_number && used_ops(tree) >= ops) return tree;
  }
}

}  // namespace trees
