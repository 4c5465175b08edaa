#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// The differences between the kernel languages.
namespace tenon::internal::codegen {

/// A kernel language as text patterns, in which `$0`, `$1` … are placeholders. Kernels use the
/// types `f32 f64 i8 … u64 mask` and functions such as `fma_f32`, which the prelude defines.
/// Statements and operations are those of C by default.
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
  bool has_typed_numbers = true;  ///< `1.0f`, `2u` and `1`; otherwise `1.0`, `2` and `true`.

  // Statements, and what precedes a block.
  std::string_view constant = "$0 const $1 = $2;";  ///< $0 the type, $1 the name, $2 the value.
  std::string_view variable = "$0 $1 = $2;";        ///< The same.
  std::string_view array = "$0 $1[$2];";            ///< $0 the type, $1 the name, $2 the size.
  std::string_view increment = "++$0;";
  std::string_view condition = "if ($0)";
  std::string_view count = "if (++$0 == $1)";  ///< Lines before the last one are statements.
  /// $0 the type, $1 the counter, $2 its first value, $3 the one after its last.
  std::string_view loop = "for ($0 $1 = $2; $1 < $3; ++$1)";
  std::string_view strided_loop = "for ($0 $1 = $2; $1 < $3; $1 += $4)";
  std::string_view search = "for (; $1; ++$0)";  ///< From $0, an `i32`, on, as long as $1.
  std::string_view search_from_zero = "for (i32 $0 = 0; $1; ++$0)";  ///< The same for a new $0.

  // Operations that languages write differently.
  std::string_view cast = "($0)$1";  ///< $0 the type.
  std::string_view select = "$0 ? $1 : $2";
  std::string_view either = "$0 || $1";
  std::string_view mask_and = "$0 & $1";
  std::string_view mask_or = "$0 | $1";
  std::string_view mask_xor = "$0 ^ $1";

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

/// A pattern whose casts are those of a dialect: in it `{i32 $0}` is a cast.
inline std::string with_casts(Dialect const& dialect, std::string_view pattern) {
  std::string text(pattern);
  for (std::size_t open = text.rfind('{'); open != text.npos; open = text.rfind('{')) {
    std::size_t const space = text.find(' ', open), close = text.find('}', open);
    std::string const type = text.substr(open + 1, space - open - 1);
    std::string const value = text.substr(space + 1, close - space - 1);
    text.replace(open, close + 1 - open, filled(dialect.cast, {type, value}));
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
