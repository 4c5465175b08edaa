#pragma once

// The result types of calls are taken from core/call.hpp, which documents the reason.

#include <regex>
#include <string>
#include <vector>

#include "source.hpp"

namespace structure {

/// Finds lines that use the result type of a call from the standard library.
inline Findings check_calls(std::vector<Source> const& headers) {
  static std::regex const asked(R"(\bstd::(invoke_result|(is_|regular_)?(nothrow_)?invocable)\w*)");
  Findings findings;
  for (auto const& header : headers) {
    int number = 0;
    for (auto const& line : lines_of(code_of(header.text))) {
      ++number;
      if (std::regex_search(line, asked))
        findings.push_back(header.path + ":" + std::to_string(number) +
                           " has std's type of a call: CallResult, CallableWith");
    }
  }
  return findings;
}

}  // namespace structure
