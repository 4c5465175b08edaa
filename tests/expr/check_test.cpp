#include <tenon/expr/annotation.hpp>
#include <tenon/expr/checked.hpp>
#include <tenon/expr/view/rename.hpp>

#include "counting.hpp"

namespace check_test {

namespace {

using namespace counting;

template <Spec S>
auto vector(std::int64_t size) {
  return counted<Float32<S>>(size);
}

TEST_CASE("check compares run-time sizes") {
  auto const x = vector<"a">(3);
  CHECK_NOTHROW(check<"n, 2*n">(x, vector<"_">(6)));
  CHECK_THROWS_WITH_AS((check<"n, 2*n">(x, vector<"_">(7))),
                       "tenon::check: '2*n': expected 6, got 7 (axis 0 of argument 2; n=3)",
                       ShapeError);
  CHECK_NOTHROW(check<"n=..16">(vector<"n">(16)));
  CHECK_THROWS_WITH_AS(check<"n=..16">(vector<"n">(20)),
                       "tenon::check: 'n=..16': expected n=..16, got n=20 (axis 0 of argument 1)",
                       ShapeError);
}

TEST_CASE("the error of check names the bindings of earlier axes") {
  auto const x = counted<Float32<"batch _ _">>(2, 3, 4);
  auto const y = counted<Float32<"_ _ _">>(2, 5, 4);
  CHECK_THROWS_WITH_AS(
      (check<"*b c, *b d">(x, y)),
      "tenon::check: '*b': expected batch=2 3, got 2 5 (axis 0 of argument 2; c=4, *b=(2, 3))",
      ShapeError);
  CHECK_THROWS_WITH_AS((check<"b n k, b n m">(x, y)),
                       "tenon::check: 'n': expected 3, got 5 (axis 1 of argument 2; b=2, n=3, k=4)",
                       ShapeError);
  CHECK_THROWS_WITH_AS(check<"b n n">(x),
                       "tenon::check: 'n': expected 3, got 4 (axis 2 of argument 1; b=2, n=3)",
                       ShapeError);
}

TEST_CASE("check takes a result after the arguments where the pattern has an arrow") {
  auto const x = vector<"a">(3);
  CHECK_NOTHROW(check<"n -> n+1">(x, vector<"_">(4)));
  CHECK_NOTHROW(check<"n -> n+1">(x));
  CHECK_THROWS_WITH_AS((check<"n -> n+1">(x, vector<"_">(5))),
                       "tenon::check: 'n+1': expected 4, got 5 (axis 0 of the result; n=3)",
                       ShapeError);
}

TEST_CASE("check takes expressions, and its names need not be the names of the axes") {
  auto const x = counted<Float32<"row column">>(2, 3);
  CHECK_NOTHROW(check<"n m, m">(x + 1, vector<"column">(3) * 2));
  CHECK_THROWS_AS((check<"n m, m">(x + 1, vector<"column">(4) * 2)), ShapeError);
}

/// Functions whose annotation alone accepts any run-time sizes.
auto halves(Float<"n 2*n"> auto const& x) {
  check<"n 2*n">(x);
  return eval(x + 1);
}
auto square(Float<"n n"> auto const& x) {
  check<"n n">(x);
  return eval(x + 1);
}

TEST_CASE("check compares in the body the run-time sizes that the concept leaves open") {
  CHECK_NOTHROW(halves(counted<Float32<"_ _">>(3, 6)));
  CHECK_THROWS_AS(halves(counted<Float32<"_ _">>(3, 7)), ShapeError);
  CHECK_NOTHROW(square(counted<Float32<"n n">>(3, 3)));
  CHECK_THROWS_AS(square(counted<Float32<"n n">>(3, 4)), ShapeError);
}

/// What follows from the types is decided at compile time.
constexpr bool decided_by_types() {
  check<"n, 2*n">(Float32<"3">{1, 2, 3}, Float32<"6">{1, 2, 3, 4, 5, 6});
  return true;
}
static_assert(decided_by_types());

template <class X, class Y>
concept Checkable = requires(X const& x, Y const& y) { check<"n, 2*n">(x, y); };
static_assert(Checkable<Float32<"3">, Float32<"6">>);
static_assert(Checkable<Float32<"n">, Float32<"m">>);
static_assert(!Checkable<Float32<"3">, Float32<"7">>);

}  // namespace

}  // namespace check_test
