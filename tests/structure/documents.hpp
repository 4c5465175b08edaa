#pragma once

// The C++ code of documents must be compiled by a test or an example.

#include "source.hpp"

namespace structure {

struct Block {
  int line;
  Lines lines;  // trimmed, without blank ones
};

inline Lines significant_lines(std::string const& text) {
  Lines lines;
  for (auto const& line : lines_of(text)) {
    if (auto const bare = trimmed(line); !bare.empty()) lines.push_back(bare);
  }
  return lines;
}

/// The blocks of a document that are fenced with ```cpp.
inline std::vector<Block> cpp_blocks(std::string const& document) {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (auto const& line : lines_of(document)) {
    ++number;
    auto const bare = trimmed(line);
    if (!inside && bare == "```cpp") {
      blocks.push_back({number, {}});
      inside = true;
    } else if (inside && bare == "```") {
      inside = false;
    } else if (inside && !bare.empty()) {
      blocks.back().lines.push_back(bare);
    }
  }
  return blocks;
}

inline bool holds(Lines const& text, Lines const& part) {
  return !std::ranges::search(text, part).empty();
}

/// Every block must be part of one of the sources, line by line, ignoring indentation and blank
/// lines.
inline Findings check_blocks(std::vector<Source> const& documents,
                             std::vector<Source> const& sources) {
  std::vector<Lines> texts;
  for (auto const& source : sources) texts.push_back(significant_lines(source.text));
  Findings findings;
  for (auto const& document : documents) {
    for (auto const& block : cpp_blocks(document.text)) {
      auto const found = [&](Lines const& text) { return holds(text, block.lines); };
      if (std::ranges::any_of(texts, found)) continue;
      findings.push_back(document.path + ":" + std::to_string(block.line) +
                         " shows code that no test compiles");
    }
  }
  return findings;
}

}  // namespace structure
