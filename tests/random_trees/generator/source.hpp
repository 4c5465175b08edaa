#pragma once

#include <ostream>
#include <string>

#include "grow.hpp"

/// Trees as C++.
namespace trees {

/// A node as an expression; shared nodes are named variables.
inline std::string written(Tree const& tree, int i, std::vector<int> const& used, bool is_named) {
  Node const& node = tree.at(i);
  if (node.is_leaf) return node.text;
  if (is_named && used[static_cast<std::size_t>(i)] > 1) return "v" + std::to_string(i);
  std::string text = "s(";
  for (std::size_t at = 0; at < node.text.size(); ++at) {
    if (node.text[at] != '$') {
      text += node.text[at];
      continue;
    }
    auto const operand = static_cast<std::size_t>(node.text[++at] - '0');
    text += written(tree, node.operands[operand], used, true);
  }
  return text + ")";
}

inline void write_body(std::ostream& out, Tree const& tree) {
  std::vector<int> const used = uses(tree);
  for (int i = 0; i + 1 < tree.size(); ++i) {
    if (used[static_cast<std::size_t>(i)] < 2 || tree.at(i).is_leaf) continue;
    out << "    auto const v" << i << " = " << written(tree, i, used, false) << ";\n";
  }
  out << "    return " << written(tree, tree.size() - 1, used, false) << ";\n";
}

/// Writes the sizes, the bound of the value, and the bounds of the gradients of the leaves.
inline void write_bounds(std::ostream& out, Family const& family, Tree const& tree) {
  for (Sizes const& sizes : sizes_of(family)) {
    if (!fits_a_test(tree, sizes)) continue;
    Ranges const ranges = *ranges_of(tree, sizes);
    auto const adjoints = adjoints_of(tree, ranges, sizes);
    out << "        {{" << sizes[0] << ", " << sizes[1] << ", " << sizes[2] << "}, "
        << ranges.back().error << ", {";
    for (std::size_t i = 0; i < leaves().size(); ++i)
      if (leaves()[i].below < 0) out << (i == 0 ? "" : ", ") << adjoints[i].error;
    out << "}},\n";
  }
}

inline void write_tree(std::ostream& out, Family const& family, Tree const& tree, int number) {
  std::string const name = "Tree" + std::to_string(number);
  out << "struct " << name << " {\n  using T = " << family.dtype
      << ";\n  static auto of(auto const& s, auto const& l) {\n";
  write_body(out, tree);
  out << "  }\n  static std::vector<Case> cases() {\n    return {\n";
  write_bounds(out, family, tree);
  out << "    };\n  }\n  static constexpr char const* source = R\"(\n";
  write_body(out, tree);
  out << ")\";\n};\n\nTEST_CASE(\"random tree " << number
      << " is the same fused, node by node, and in "
      << "double\") {\n  check<Leaves, " << name << ">();\n}\n\n";
}

inline std::string listed(std::vector<int> const& numbers) {
  std::string text;
  for (int number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "{" + text + "}";
}

inline void write_filling(std::ostream& out, Leaf const& leaf) {
  bool const floats = leaf.below < 0;
  out << "        fill." << (floats ? "numbers" : "ids") << "<decltype(" << leaf.name << ")>("
      << listed(leaf.places) << ", ";
  if (floats) out << leaf.low << ", " << leaf.high << "),\n";
  else out << leaf.below << "),\n";
}

inline void write_leaves(std::ostream& out, Family const& family) {
  std::string names;
  out << "template <class Number, class D>\nstruct Leaves {\n  using T = Number;\n";
  for (Leaf const& leaf : leaves()) {
    std::string const spec = written(family.shape(leaf), family.sizes);
    out << "  Tensor<" << (leaf.below < 0 ? "T" : "std::int32_t") << ", \"" << spec << "\", D> "
        << leaf.name << ";\n";
    if (leaf.below < 0) names += (names.empty() ? "" : ", ") + leaf.name;
  }
  for (char const* constness : {" const", ""})
    out << "  auto floating()" << constness << " { return std::tie(" << names << "); }\n";
  out << "  static Leaves of(Filler& fill) {\n    return {\n";
  for (Leaf const& leaf : leaves()) write_filling(out, leaf);
  out << "    };\n  }\n};\n\n";
}

}  // namespace trees
