#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "range.hpp"
#include "shape.hpp"

namespace trees {

using Ranges = std::vector<Range>;

/// The effect of an op on ranges and on adjoints, for given sizes of the axes.
struct Analysis {
  /// The range of the result; nothing if the op is not to be used on such operands.
  std::function<std::optional<Range>(Ranges const&, Sizes const&)> forward;
  /// The adjoint of each operand.
  std::function<std::vector<Adjoint>(Ranges const&, Adjoint const&, Sizes const&)> backward;
};

/// An op on preceding nodes, or a leaf.
struct Node {
  std::string text;  ///< With $0, $1, $2 for the operands.
  std::vector<int> operands{};
  Shape shape{};
  Analysis analysis{};
  bool is_mask = false;
  bool is_leaf = false;
  bool is_gathered = false;  ///< Needs axes that are not empty.
};

/// A tree with shared subtrees: the last node is its result.
struct Tree {
  std::vector<Node> nodes;

  Node const& at(int i) const { return nodes[static_cast<std::size_t>(i)]; }
  Node const& root() const { return nodes.back(); }
  int size() const { return static_cast<int>(nodes.size()); }
};

inline std::vector<int> uses(Tree const& tree) {
  std::vector<int> number(tree.nodes.size());
  number.back() = 1;
  for (int i = tree.size() - 1; i >= 0; --i) {
    if (number[static_cast<std::size_t>(i)] == 0) continue;
    for (int operand : tree.at(i).operands) ++number[static_cast<std::size_t>(operand)];
  }
  return number;
}

/// The ranges of all nodes, or nothing if an operand is outside of the domain of an op.
inline std::optional<Ranges> ranges_of(Tree const& tree, Sizes const& sizes) {
  Ranges all;
  std::vector<int> const used = uses(tree);
  for (int i = 0; i < tree.size(); ++i) {
    if (used[static_cast<std::size_t>(i)] == 0) {
      all.push_back({});
      continue;
    }
    Ranges operands;
    for (int operand : tree.at(i).operands)
      operands.push_back(all[static_cast<std::size_t>(operand)]);
    auto const range = tree.at(i).analysis.forward(operands, sizes);
    if (!range) return {};
    all.push_back(*range);
  }
  return all;
}

/// Bounds of the adjoints of all nodes, for adjoints of the result up to 1.
inline std::vector<Adjoint> adjoints_of(Tree const& tree, Ranges const& ranges,
                                        Sizes const& sizes) {
  std::vector<Adjoint> all(tree.nodes.size());
  std::vector<int> const used = uses(tree);
  all.back() = {1, 0};
  for (int i = tree.size() - 1; i >= 0; --i) {
    Node const& node = tree.at(i);
    if (used[static_cast<std::size_t>(i)] == 0 || node.is_leaf) continue;
    Ranges operands;
    for (int operand : node.operands) operands.push_back(ranges[static_cast<std::size_t>(operand)]);
    auto const reached = node.analysis.backward(operands, all[static_cast<std::size_t>(i)], sizes);
    for (std::size_t k = 0; k < reached.size(); ++k) {
      Adjoint& sum = all[static_cast<std::size_t>(node.operands[k])];
      sum.most += reached[k].most;
      sum.error += reached[k].error + sum.most;
    }
  }
  return all;
}

}  // namespace trees
