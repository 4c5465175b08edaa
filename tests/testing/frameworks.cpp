// The same checks with doctest, Catch2, GoogleTest or without a framework: each passes once and
// fails once.

#if defined(WITH_DOCTEST)
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#elif defined(WITH_CATCH2) && __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#elif defined(WITH_CATCH2)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#elif defined(WITH_GTEST)
#include <gtest/gtest.h>
#define TEST_CASE(name) TEST(Checks, Fail)
#endif

#include <cmath>

#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

using namespace tenon;

namespace {

void check_all() {
  Float64<"n"> const x{1, 2, 3};
  auto const loss = [](auto const& v) { return sum(v * stop_gradient(v)); };
  CHECK_SHAPE(x, "n=3");
  CHECK_CLOSE(x, x, {.relative = 1e-9});
  CHECK_FINITE(x);
  CHECK_GRADIENT([](auto const& v) { return sum(v * v); }, x);
  CHECK_SHAPE(x, "n=4");
  CHECK_CLOSE(x, x * 2, {.relative = 0.4});
  CHECK_FINITE(log(x - 1));
  CHECK_GRADIENT(loss, x);
}

}  // namespace

#if defined(TEST_CASE)
TEST_CASE("checks fail") { check_all(); }
#else
int main() { check_all(); }
#endif
