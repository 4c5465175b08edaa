#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace contractions {

/// The labels of an operand or the result, as letters; axes without a label are left out.
inline std::string letters(AxisMap const& labels, int rank) {
  std::string text;
  for (int i = 0; i < rank; ++i) {
    int const label = labels[static_cast<std::size_t>(i)];
    if (label >= 0) text += static_cast<char>('a' + label);
  }
  return text;
}

inline std::vector<std::int64_t> without_label(AxisMap const& labels, int rank) {
  std::vector<std::int64_t> axes;
  for (int i = 0; i < rank; ++i)
    if (labels[static_cast<std::size_t>(i)] < 0) axes.push_back(i);
  return axes;
}

/// Whether a contraction is NumPy's matmul: "…ij, …jk -> …ik", the right operand with the leading
/// axes of the left one or without any.
inline bool is_matmul(std::string const& a, std::string const& b, std::string const& c) {
  if (a.size() < 2 || b.size() < 2 || c.size() != a.size()) return false;
  std::string const batch = a.substr(0, a.size() - 2);
  char const row = a[a.size() - 2], inner = a.back(), column = b.back();
  bool const rights = b == std::string{inner, column} || b == batch + inner + column;
  return rights && c == batch + row + column && row != column && inner != column;
}

}  // namespace contractions

TENON_RUNTIME Lowering::Value Lowering::contraction(Step const& step) {
  if (Value y = convolution(step); !y.empty()) return y;
  Contraction const& rule = *step.type->contraction;
  auto const operand_of = [&](std::size_t k, AxisMap const& labels) {
    return build_.squeeze(value(step, k),
                          contractions::without_label(labels, operand(step, k).rank));
  };
  Value const a = operand_of(0, rule.left), b = operand_of(1, rule.right);
  std::string const left = contractions::letters(rule.left, operand(step, 0).rank);
  std::string const right = contractions::letters(rule.right, operand(step, 1).rank);
  std::string const out = contractions::letters(rule.out, step.rank);
  if (contractions::is_matmul(left, right, out)) return build_.add("MatMul", {a, b});
  return build_.add("Einsum", {a, b}, {attribute("equation", left + "," + right + "->" + out)});
}

}  // namespace tenon::internal::onnx
