#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "family.hpp"
#include "views.hpp"

/// Steps that add one node of each kind to a tree. A step without fitting operands gives nothing.
namespace trees {

using Step = std::optional<Node>;

/// The tree from which steps are made.
struct Growth {
  Draws& draws;
  Family const& family;
  Tree const& tree;

  /// A random node, with the newest one more likely.
  int any() const {
    if (draws.chance(65)) return tree.size() - 1;
    return draws.below(tree.size());
  }
  /// A random node of a floating dtype.
  int operand() const {
    for (int i = any();; i = any())
      if (!tree.at(i).is_mask && !is_ids(i)) return i;
  }
  int leaf(std::string const& name) const {
    for (int i = 0; i < tree.size(); ++i)
      if (tree.at(i).text == "l." + name) return i;
    return -1;
  }
  bool is_ids(int i) const { return tree.at(i).text == "l.ids" || tree.at(i).text == "l.rows"; }
  Shape const& shape(int i) const { return tree.at(i).shape; }

  /// Another operand that broadcasts with this one.
  std::optional<int> partner(int i) const {
    std::vector<int> fitting;
    for (int j = 0; j < tree.size(); ++j) {
      bool const floating = !tree.at(j).is_mask && !is_ids(j) && j != i;
      if (floating && aligned(shape(i), shape(j))) fitting.push_back(j);
    }
    if (fitting.empty()) return {};
    return draws.of(fitting);
  }
};

inline Step unary_step(Growth const& from) {
  Map const map = from.draws.of(from.family.unary);
  int const x = from.operand();
  Shape const& shape = from.shape(x);
  return Node{map.text, {x}, shape, analysis_of(map, shape, {shape})};
}

/// A reduction with `keep` combined with its operand, as in a softmax or a norm.
inline Step normalising_step(Growth const& from) {
  Map const map = from.draws.of(from.family.binary);
  int const reduction = from.tree.size() - 1;
  if (from.tree.root().text.find("keep") == std::string::npos) return {};
  int const x = from.tree.root().operands[0];
  Shape const& shape = from.shape(x);
  return Node{
      map.text, {x, reduction}, shape, analysis_of(map, shape, {shape, from.shape(reduction)})};
}

inline Step binary_step(Growth const& from) {
  Map const map = from.draws.of(from.family.binary);
  int x = from.operand();
  auto const other = from.partner(x);
  if (!other) return {};
  int y = *other;
  if (from.draws.chance(40)) std::swap(x, y);
  Shape const shape = *aligned(from.shape(x), from.shape(y));
  return Node{map.text, {x, y}, shape, analysis_of(map, shape, {from.shape(x), from.shape(y)})};
}

/// A mask and the where that uses it are two nodes: the mask is added first.
inline Step comparing_step(Growth const& from) {
  int const x = from.operand();
  auto const y = from.partner(x);
  if (!y) return {};
  std::string const sign = from.draws.of(std::vector<std::string>{"<", ">=", ">", "!="});
  return Node{
      "($0 " + sign + " $1)", {x, *y}, *aligned(from.shape(x), from.shape(*y)), comparing(), true};
}

inline Step choosing_step(Growth const& from) {
  int const mask = from.tree.size() - 1, x = from.operand();
  if (!from.tree.at(mask).is_mask) return {};
  auto const y = from.partner(x);
  if (!y) return {};
  auto const both = aligned(from.shape(x), from.shape(*y));
  auto const all = aligned(*both, from.shape(mask));
  if (!all || has_derived(*all)) return {};
  return Node{"where($0, $1, $2)",
              {mask, x, *y},
              *all,
              choosing(*all, {from.shape(mask), from.shape(x), from.shape(*y)})};
}

/// Axes by name if they have one, otherwise by index from either end.
inline std::string choice_of(Draws& draws, Shape const& shape, int axis) {
  Axis const& chosen = shape[static_cast<std::size_t>(axis)];
  if (!chosen.name.empty()) return "\"" + chosen.name + "\"";
  return std::to_string(draws.chance(50) ? axis : axis - static_cast<int>(shape.size()));
}

inline Step reduced_axes_step(Growth const& from) {
  ReductionNode const reduction = from.draws.of(from.family.reductions);
  int const x = from.operand();
  Shape shape = from.shape(x);
  if (shape.empty()) return {};
  int const rank = static_cast<int>(shape.size());
  int const axis = from.draws.chance(60) ? rank - 1 : from.draws.below(rank);
  bool const every = reduction.name == "sum" && from.draws.chance(10);
  bool const keeps = reduction.drops && !every && from.draws.chance(45);
  std::vector<Axis> reduced{shape[static_cast<std::size_t>(axis)]};
  std::string const chosen = every ? "" : "<" + choice_of(from.draws, shape, axis) + ">";
  if (every) reduced = std::exchange(shape, {});
  else if (keeps) {
    Axis& one = shape[static_cast<std::size_t>(axis)];
    one = {-1, 1, 1, true, one.name};
  } else if (reduction.drops) shape.erase(shape.begin() + axis);
  return Node{reduction.name + chosen + (keeps ? "($0, keep)" : "($0)"),
              {x},
              shape,
              analysis_of(reduction, reduced)};
}

}  // namespace trees
