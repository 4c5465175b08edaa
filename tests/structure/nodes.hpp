#pragma once

// The members in which a node stores its operands are named in one file only.

#include <regex>

#include "source.hpp"

namespace structure {

inline std::string const file_of_operands = "include/tenon/expr/node.hpp";

/// Finds lines of other files that name such a member of an expression `e`.
inline Findings check_operands(std::vector<Source> const& headers) {
  static std::regex const member(R"(\be\.(a|b|c|operand|table|ids)\b)");
  Findings findings;
  for (auto const& header : headers) {
    if (header.path == file_of_operands) continue;
    int number = 0;
    for (auto const& line : lines_of(code_of(header.text))) {
      ++number;
      if (std::regex_search(line, member))
        findings.push_back(header.path + ":" + std::to_string(number) + " names an operand");
    }
  }
  return findings;
}

}  // namespace structure
