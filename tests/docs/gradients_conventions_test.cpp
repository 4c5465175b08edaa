// What docs/gradients.md says of gradients where there is no derivative.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <tenon/tenon.hpp>

namespace docs_gradients_conventions {
namespace {

using namespace tenon;

using Vector = Float64<"n">;

/// The gradient of the sum of `f`, as it is printed.
template <class F>
std::string at(Vector const& x, F const& f) {
  return to_string(grad([&](Vector const& v) { return sum(f(v)); })(x));
}

TEST_CASE("ties share the adjoint") {
  CHECK(at({3, 3, 1}, [](auto const& v) { return max<"n">(v); }) == "[0.5 0.5 0. ]");
  CHECK(at({0, 1, 2}, [](auto const& v) { return maximum(v, 1); }) == "[0.  0.5 1. ]");
  CHECK(at({0, 1, 2}, [](auto const& v) { return clamp(v, 1, 5); }) == "[0.  0.5 1. ]");
}

TEST_CASE("where there is no derivative the gradient is one of the subgradients") {
  CHECK(at({0, 1, -1}, [](auto const& v) { return relu(v); }) == "[0. 1. 0.]");
  CHECK(at({0, 1, -1}, [](auto const& v) { return abs(v); }) == "[ 0.  1. -1.]");
  CHECK(at({0, 0, 0}, [](auto const& v) { return norm(v); }) == "[0. 0. 0.]");
  CHECK(at({2, 2, 2}, [](auto const& v) { return stddev(v); }) == "[0. 0. 0.]");
  CHECK(at({0, 1, 4}, [](auto const& v) { return sqrt(v); }) == "[ inf 0.5  0.25]");
}

TEST_CASE("steps have the gradient zero") {
  CHECK(at({0.4, 1.6}, [](auto const& v) { return round(v); }) == "[0. 0.]");
  CHECK(at({0.4, 1.6}, [](auto const& v) { return v * to<double>(v > 1); }) == "[0. 1.]");
  CHECK(at({1, 2}, [](auto const& v) { return to<double>(to<std::int32_t>(v)); }) == "[0. 0.]");
}

TEST_CASE(
    "the branch that where does not take still has a derivative, and 0 times infinity is NaN") {
  CHECK(at({0, 1, 2}, [](auto const& v) { return where(v > 0, log(v), 0); }) == "[nan 1.  0.5]");
  CHECK(at({0, 1, 2}, [](auto const& v) {
          auto const safe = where(v > 0, v, 1);
          return where(v > 0, log(safe), 0);
        }) == "[0.  1.  0.5]");
}

TEST_CASE("a permutation passes adjoints back to where the elements came from") {
  Vector const weights{1, 10, 100};
  CHECK(at({3, 1, 2}, [&](auto const& v) { return sort<"n">(v) * weights; }) == "[100.   1.  10.]");
}

}  // namespace
}  // namespace docs_gradients_conventions
