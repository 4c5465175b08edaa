#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// The differences between the kernel languages.
namespace tenon::internal::codegen {

/// A kernel language as text patterns, in which `$0`, `$1` … are placeholders. Kernels use the
/// types `f32 f64 i8 … u64 mask` and functions such as `fma_f32`, which the prelude defines.
struct Dialect {
  std::string_view name;
  std::string_view prelude;
  std::string_view function;   ///< $0 the result's type, $1 the name, $2 the parameters.
  std::string_view parameter;  ///< Of a function: $0 the type, $1 the name.
  std::string_view table;      ///< $0 the name, $1 the number of entries, $2 the entries.
  std::string_view kernel;     ///< $0 the name, $1 the parameters.
  std::string_view result;     ///< Of a kernel: $0 the type, $1 the name, $2 its index.
  std::string_view operand;    ///< The same for an input.
  std::string_view size;       ///< The same for a run-time number, an `i64`.
  std::string_view rows;       ///< The loop over rows: `row` is one of $0.
  bool has_double = true;

  // For kernels with work groups of fixed size; empty: the language has none.
  std::string_view group_kernel = {};  ///< $0 the name, $1 the parameters, $2 the group size.
  std::string_view group = {};         ///< The index of the work group, an `i64`,
  std::string_view groups = {};        ///< the number of groups,
  std::string_view member = {};        ///< and the index of the work item in its group, an `i64`.
  std::string_view shared = {};        ///< Group memory: $0 the type, $1 the name, $2 its size.
  std::string_view barrier = {};       ///< A barrier of the group, with a memory fence.
};

/// A pattern with its placeholders `$0`, `$1` … replaced.
inline std::string filled(std::string_view pattern, std::vector<std::string> const& with) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '$') text += with[static_cast<std::size_t>(pattern[++i] - '0')];
    else text += pattern[i];
  }
  return text;
}

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix((std::min)(end + 1, text.size()))) {
    end = (std::min)(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
  }
  return lines;
}

inline std::string joined(std::vector<std::string> const& parts, std::string_view between) {
  std::string text;
  for (std::string const& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

}  // namespace tenon::internal::codegen

namespace tenon::codegen {

using internal::codegen::Dialect;

}  // namespace tenon::codegen
