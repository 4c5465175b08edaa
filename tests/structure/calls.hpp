#pragma once

// The result types of calls are taken from core/call.hpp, and stable sorts from
// core/stable_sort.hpp, which document the reason.

#include <regex>
#include <string>
#include <vector>

#include "source.hpp"

namespace structure {

/// Finds lines that use the result type of a call, or a stable sort, from the standard library.
inline Findings check_calls(std::vector<Source> const& headers) {
  static std::regex const asked(R"(\bstd::(invoke_result|(is_|regular_)?(nothrow_)?invocable)\w*)");
  static std::regex const sorted(R"(\bstd::(ranges::)?stable_sort\()");
  Findings findings;
  for (auto const& header : headers) {
    int number = 0;
    for (auto const& line : lines_of(code_of(header.text))) {
      ++number;
      if (std::regex_search(line, asked))
        findings.push_back(header.path + ":" + std::to_string(number) +
                           " has std's type of a call: CallResult, CallableWith");
      if (std::regex_search(line, sorted))
        findings.push_back(header.path + ":" + std::to_string(number) +
                           " has std's stable sort: tenon::internal::stable_sort");
    }
  }
  return findings;
}

}  // namespace structure
