#pragma once

// The lines of code in a document's tables are lines of a test, with the values that they print.

#include "source.hpp"

namespace structure {

/// A line of a table: code, and its value.
struct Line {
  int number;
  std::string code;
  std::string value;
};

/// The text of a cell without blanks and backticks.
inline std::string bare_cell(std::string_view cell) {
  std::string text = trimmed(cell);
  std::erase(text, '`');
  return text;
}

/// The last two cells of every row that begins with code: | `a` | … | `code` | `value` |
inline std::vector<Line> table_lines(std::string const& document) {
  std::vector<Line> lines;
  int number = 0;
  for (auto const& line : lines_of(document)) {
    ++number;
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 1; at < line.size(); at = line.find('|', at) + 1)
      cells.push_back(bare_cell(std::string_view(line).substr(at, line.find('|', at) - at)));
    lines.push_back({number, cells[cells.size() - 2], cells[cells.size() - 1]});
  }
  return lines;
}

inline std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

/// Every line of the tables must be `prints("value", code);` in the test, which must have no
/// others.
inline Findings check_tables(Source const& document, Source const& test) {
  std::string rest = without_blanks(test.text);
  Findings findings;
  for (auto const& [number, code, value] : table_lines(document.text)) {
    std::string const call = without_blanks("prints(\"" + value + "\"," + code + ");");
    if (std::size_t const at = rest.find(call); at != rest.npos) rest.erase(at, call.size());
    else
      findings.push_back(document.path + ":" + std::to_string(number) + " shows what no test runs");
  }
  if (rest.find("prints(\"") != rest.npos)
    findings.push_back(test.path + " has a line that " + document.path + " does not show");
  return findings;
}

}  // namespace structure
