#pragma once

/// Checks for the tests of a project, for doctest, Catch2 and GoogleTest: include it after the
/// header of the framework. Each one is also a function of `tenon::testing` that returns a
/// `Result`.
///
///     CHECK_SHAPE(x, "batch digit=10")    axes and sizes; a mismatch of types does not compile
///     CHECK_CLOSE(x, expected, 1e-5)      equal within a tolerance; also structs of tensors
///     CHECK_GRADIENT(f, x)                the gradient of f at x is that of central differences
///     CHECK_FINITE(x)                     no NaN and no infinity
///
/// Without a framework a failure throws `tenon::Error`.
#include <tenon/core/error.hpp>
#include <tenon/testing/close.hpp>
#include <tenon/testing/finite.hpp>
#include <tenon/testing/gradient.hpp>
#include <tenon/testing/shape.hpp>

/// Reports a `Result` to the framework: a pass counts as an assertion.
#if defined(DOCTEST_LIBRARY_INCLUDED)
#define TENON_TESTING_PASS() DOCTEST_CHECK(true)
#define TENON_TESTING_FAIL(text) DOCTEST_FAIL_CHECK((text))
#elif defined(CATCH_VERSION_MAJOR)
#define TENON_TESTING_PASS() SUCCEED()
#define TENON_TESTING_FAIL(text) FAIL_CHECK(text)
#elif defined(GTEST_TEST)
#define TENON_TESTING_PASS() SUCCEED()
#define TENON_TESTING_FAIL(text) ADD_FAILURE() << (text)
#else
#define TENON_TESTING_PASS() static_cast<void>(0)
#define TENON_TESTING_FAIL(text) \
  throw ::tenon::Error(__FILE__ ":" + std::to_string(__LINE__) + ": " + (text))
#endif

#define TENON_TESTING_CHECK(call, ...)                                                      \
  do {                                                                                      \
    if (::tenon::testing::Result const tenon_result = (__VA_ARGS__); tenon_result.passed) { \
      TENON_TESTING_PASS();                                                                 \
    } else {                                                                                \
      TENON_TESTING_FAIL(call ": " + tenon_result.text);                                    \
    }                                                                                       \
  } while (false)

#define CHECK_SHAPE(x, ...)                                    \
  TENON_TESTING_CHECK("CHECK_SHAPE(" #x ", " #__VA_ARGS__ ")", \
                      ::tenon::testing::check_shape<__VA_ARGS__>(x))
#define CHECK_CLOSE(...) \
  TENON_TESTING_CHECK("CHECK_CLOSE(" #__VA_ARGS__ ")", ::tenon::testing::check_close(__VA_ARGS__))
#define CHECK_GRADIENT(...)                               \
  TENON_TESTING_CHECK("CHECK_GRADIENT(" #__VA_ARGS__ ")", \
                      ::tenon::testing::check_gradient(__VA_ARGS__))
#define CHECK_FINITE(...) \
  TENON_TESTING_CHECK("CHECK_FINITE(" #__VA_ARGS__ ")", ::tenon::testing::check_finite(__VA_ARGS__))
