#pragma once

#include <ostream>
#include <string>

namespace tenon::internal::testing {

/// The result of a check: whether it passed, and otherwise why not, in one line (one line for each
/// leaf of a tree). Converts to bool; test frameworks print it as its text.
struct CheckResult {
  bool passed = true;
  std::string text{};

  explicit operator bool() const { return passed; }
};

inline std::ostream& operator<<(std::ostream& out, CheckResult const& result) {
  return out << (result.passed ? "passed" : result.text);
}

/// Adds a failure as a further line.
inline void add_failure(CheckResult& result, std::string const& text) {
  if (!result.passed) result.text += '\n';
  result.passed = false;
  result.text += text;
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::CheckResult;

}  // namespace tenon::testing
