#pragma once

// A function is declared once, in its own file, for any operand: a layer with operands of its own
// (distributed/) computes functions of them by core/dispatch.hpp.

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "source.hpp"

namespace structure {

/// Functions that `distributed/` declares again, with the reason.
inline std::map<std::string, std::string> const declared_twice{};

/// The names that a header exports from `internal`.
inline std::set<std::string> exported_names(std::string const& text) {
  static std::regex const exported(R"(^using internal::(\w+);$)");
  std::set<std::string> names;
  for (auto const& line : lines_of(code_of(text)))
    if (std::smatch found; std::regex_match(line, found, exported)) names.insert(found[1]);
  return names;
}

/// Finds names that both `distributed/` and a lower layer export, and exceptions that no longer
/// are any.
inline Findings check_declared_once(
    std::vector<Source> const& headers,
    std::map<std::string, std::string> const& exceptions = declared_twice) {
  std::set<std::string> lower, twice;
  std::map<std::string, std::string> again;
  for (auto const& header : headers) {
    bool const is_above = header.path.starts_with("include/tenon/distributed/");
    bool const is_below = !is_above && !header.path.starts_with("include/tenon/train/") &&
                          !header.path.starts_with("include/tenon/testing/");
    for (auto const& name : exported_names(header.text)) {
      if (is_above) again.emplace(name, header.path);
      if (is_below) lower.insert(name);
    }
  }
  Findings findings;
  for (auto const& [name, path] : again) {
    if (!lower.contains(name)) continue;
    twice.insert(name);
    if (!exceptions.contains(name)) findings.push_back(path + " declares " + name + " again");
  }
  for (auto const& [name, reason] : exceptions)
    if (!twice.contains(name)) findings.push_back(name + " is declared once: no exception");
  return findings;
}

/// Functions of expressions in `expr/` and `eval/` that other operands do not reach, with the
/// reason.
inline std::map<std::string, std::string> const for_expressions_only{
    {"assign", "writes to memory that is borrowed"},
    {"bindings_text", "names the argument that is no tensor"},
    {"print_bindings", "names the argument that is no tensor"},
};

/// The declarations of a function: from the line of `template` to the end of the head.
inline std::vector<std::string> declarations_of(std::string const& code, std::string const& name) {
  std::vector<std::string> declarations;
  std::size_t start = code.find("\ntemplate <");
  while (start != code.npos) {
    std::size_t const next = code.find("\ntemplate <", start + 1);
    std::string const text = code.substr(start, next - start);
    std::string const head = text.substr(0, text.find_first_of(";{", text.find('(')));
    if (head.find(" " + name + "(") != head.npos || head.find("(" + name + ")(") != head.npos)
      declarations.push_back(text.substr(0, text.find(';')));
    start = next;
  }
  return declarations;
}

/// Finds functions in `expr/` and `eval/` that take expressions and neither dispatch nor refuse
/// other operands.
inline Findings check_other_operands(std::vector<Source> const& headers) {
  std::map<std::string, bool> takes, says;
  for (auto const& header : headers) {
    if (!header.path.starts_with("include/tenon/expr/") &&
        !header.path.starts_with("include/tenon/eval/"))
      continue;
    std::string const code = code_of(header.text);
    for (auto const& name : exported_names(header.text)) {
      for (auto const& text : declarations_of(code, name)) {
        takes[name] |= text.find("Expression") != text.npos;
        says[name] |= text.find("Refused<") != text.npos || text.find("Operand X") != text.npos ||
                      text.find("CastOf<") != text.npos;
      }
    }
  }
  Findings findings;
  for (auto const& [name, some] : takes)
    if (some && !says[name] && !for_expressions_only.contains(name))
      findings.push_back(name + " says nothing of operands that are no expressions: Refused");
  return findings;
}

}  // namespace structure
