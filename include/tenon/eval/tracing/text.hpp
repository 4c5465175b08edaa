#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/eval/tracing/node.hpp>

/// The text of a kernel, from the description of its expression.
namespace tenon::internal::tracing {

/// "(3, 4)".
inline std::string sizes_text(Sizes const& sizes, int rank) {
  std::string text = "(";
  for (int i = 0; i < rank; ++i) text += (i > 0 ? ", " : "") + std::to_string(at(sizes, i));
  return text + ")";
}

inline void append_text(Node node, bool with_leaves, std::string& text) {
  if (node.operand_count() == 0) {
    if (!with_leaves) text += "_";
    else text.append(node.is_leaf() ? node->dtype : "number");
    if (with_leaves && node.is_leaf()) text += " " + sizes_text(node.sizes(), node.rank());
    return;
  }
  text.append(node->name) += "(";
  for (std::size_t k = 0; k < node.operand_count(); ++k) {
    if (k > 0) text += ", ";
    append_text(node.operand_at(k), with_leaves, text);
  }
  text += ")";
}

/// "relu(add(matmul(_, _), _))"; with leaves, "exp(float32 (3, 4))". At most 400 characters.
inline std::string kernel_text(Node node, bool with_leaves) {
  std::string text;
  append_text(node, with_leaves, text);
  constexpr std::size_t most = 400;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

}  // namespace tenon::internal::tracing
