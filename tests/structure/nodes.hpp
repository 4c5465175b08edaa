#pragma once

// Which files know how expressions are built: the members in which a node stores its operands are
// named in one file, the parameters of node types where expressions are made, described and
// lowered to loops.

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

/// The folders that read the parameters of node types: expressions, their description, the frames
/// of rows, and the unrolled loops of inline tensors.
inline std::regex const folders_of_nodes(R"(include/tenon/(expr|ir|eval/(frame|rows|inline))/.*)");

/// Finds other files with the parameters of a node type.
inline Findings check_node_types(std::vector<Source> const& headers) {
  static std::regex const node(
      R"(\b(Elementwise|ReductionNode|IndexMap|Stepped|ConstantNode|Gather|PickAlong|TakeAlong|Contract)<)");
  Findings findings;
  for (auto const& header : headers) {
    if (std::regex_match(header.path, folders_of_nodes)) continue;
    if (std::regex_search(code_of(header.text), node))
      findings.push_back(header.path + " names the parameters of a node type");
  }
  return findings;
}

/// Finds descriptions of node types beside the one of ir/.
inline Findings check_descriptions(std::vector<Source> const& headers) {
  static std::regex const description(R"(\bstruct NodeType\b[^;]*\{)");
  Findings findings;
  for (auto const& header : headers) {
    if (header.path == "include/tenon/ir/node.hpp") continue;
    if (std::regex_search(code_of(header.text), description))
      findings.push_back(header.path + " has a second description of nodes");
  }
  return findings;
}

}  // namespace structure
