#pragma once

// TENON_REPORT(check): reports the result of a check to the test framework whose header is included
// before: doctest, Catch2 or GoogleTest. A failed check does not end the test case. Without a
// framework it prints the text and aborts, as `assert` does.

#include <cstdlib>
#include <iostream>

#include <tenon/testing/result.hpp>

namespace tenon::internal::testing {

inline void abort_unless_passed(CheckResult const& result, char const* call, char const* file,
                                int line) {
  if (result.passed) return;
  std::cerr << file << ":" << line << ": " << call << ": " << result << "\n"
            << "(no test framework was included before tenon/testing.hpp)" << std::endl;
  std::abort();
}

}  // namespace tenon::internal::testing

#if defined(DOCTEST_CHECK)
#define TENON_REPORT(...) DOCTEST_CHECK(__VA_ARGS__)
#elif defined(CATCH_CHECK)
#define TENON_REPORT(...) CATCH_CHECK(__VA_ARGS__)
#elif defined(INTERNAL_CATCH_TEST)
#define TENON_REPORT(...) CHECK(__VA_ARGS__)
#elif defined(GTEST_TEST)
namespace tenon::internal::testing {

inline ::testing::AssertionResult gtest_result(char const* call, CheckResult const& result) {
  return result.passed ? ::testing::AssertionSuccess()
                       : ::testing::AssertionFailure() << call << ": " << result;
}

}  // namespace tenon::internal::testing
#define TENON_REPORT(...) \
  EXPECT_PRED_FORMAT1(::tenon::internal::testing::gtest_result, (__VA_ARGS__))
#else
#define TENON_REPORT(...) \
  ::tenon::internal::testing::abort_unless_passed(__VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)
#endif
