#include <limits>

#include "derivative_checks.hpp"
#include "every_op.hpp"

using namespace tenon;
using namespace tenon::internal;

namespace {

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T largest = std::numeric_limits<T>::max();

/// A unary op: value and derivative, which must be the same in all lanes.
template <class Op, class T>
std::pair<T, T> with_derivative(T x) {
  T const y = Op::f(x), derivative = op::backward_of(Op::d(x, y).p0, T(1));
  Lanes<T> const lanes = Op::f(Lanes<T>(x));
  Lanes<T> const derivatives = op::backward_of(Op::d(Lanes<T>(x), lanes).p0, Lanes<T>(T(1)));
  for (int i = 0; i < lane_count; ++i) {
    CHECK(checks::distance(lanes.lane(i), y) < 3);
    CHECK(checks::distance(derivatives.lane(i), derivative) < 4);
  }
  return {y, derivative};
}

template <class T>
void expect_equal(T got, T expected, std::string_view op, T x) {
  if (got == expected) return;
  FAIL_CHECK(checks::joined_text(op, " at ", x, " is ", got, ", its limit ", expected));
}

/// Checks that near `x`, at the end of the range, an op is `value` and its derivative `derivative`.
template <class Op, class T>
void expect_limit(T x, T value, T derivative) {
  auto const [y, d] = with_derivative<Op>(x);
  expect_equal(y, value, Op::name, x);
  expect_equal(d, derivative, std::string("the derivative of ").append(Op::name), x);
}

template <class T>
std::vector<T> special_values() {
  using L = std::numeric_limits<T>;
  std::vector<T> all;
  for (T x : {T(0), L::denorm_min(), L::min() / 4, L::min(), T(0.5), T(1), T(2), T(3), T(1e10),
              T(1e20), T(1e30), L::max() / 2, L::max(), L::infinity()}) {
    all.push_back(x);
    all.push_back(-x);
  }
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("gated activations are the identity or zero far from zero", T, float, double) {
  for (T x : {T(1e10), T(3e19), T(1e30), largest<T>, infinity<T>}) {
    auto const expect = [&]<class Op>() {
      expect_limit<Op, T>(x, x, 1);
      expect_limit<Op, T>(-x, 0, 0);
    };
    op::for_each(op::List<op::Relu, op::Silu, op::Gelu, op::GeluTanh>{}, expect);
  }
}

TEST_CASE_TEMPLATE("saturating functions are constant far from zero", T, float, double) {
  for (T x : {T(1e10), T(3e19), T(1e30), largest<T>, infinity<T>}) {
    expect_limit<op::Sigmoid, T>(x, 1, 0);
    expect_limit<op::Sigmoid, T>(-x, 0, 0);
    expect_limit<op::Tanh, T>(x, 1, 0);
    expect_limit<op::Tanh, T>(-x, -1, 0);
    expect_limit<op::Erf, T>(x, 1, 0);
    expect_limit<op::Erf, T>(-x, -1, 0);
  }
}

TEST_CASE_TEMPLATE("powers, roots and logarithms at infinity", T, float, double) {
  expect_limit<op::Exp, T>(infinity<T>, infinity<T>, infinity<T>);
  expect_limit<op::Exp, T>(-infinity<T>, 0, 0);
  expect_limit<op::Log, T>(infinity<T>, infinity<T>, 0);
  expect_limit<op::Log, T>(0, -infinity<T>, infinity<T>);
  expect_limit<op::Sqrt, T>(infinity<T>, infinity<T>, 0);
  expect_limit<op::Sqrt, T>(0, 0, infinity<T>);
  expect_limit<op::Rsqrt, T>(infinity<T>, 0, 0);
  expect_limit<op::Rsqrt, T>(0, infinity<T>, -infinity<T>);
  expect_limit<op::Reciprocal, T>(infinity<T>, 0, 0);
  expect_limit<op::Reciprocal, T>(0, infinity<T>, -infinity<T>);
  expect_limit<op::Square, T>(-infinity<T>, infinity<T>, -infinity<T>);
}

TEST_CASE_TEMPLATE("where an op has a value, its derivative is not NaN", T, float, double) {
  for (T x : special_values<T>()) {
    op::for_each(op::Unary{}, [&]<class Op>() {
      auto const [y, d] = with_derivative<Op>(x);
      if (d != d && y == y)
        FAIL_CHECK(checks::joined_text("the derivative of ", Op::name, " at ", x));
    });
  }
}

TEST_CASE_TEMPLATE("NaN gives NaN", T, float, double) {
  T const nan = std::numeric_limits<T>::quiet_NaN();
  op::for_each(op::Unary{}, [&]<class Op>() {
    CHECK(tenon::internal::intrinsics::is_nan(with_derivative<Op>(nan).first));
  });
}

// The derivative with respect to the exponent does not exist for a negative base.
TEST_CASE_TEMPLATE("where a binary op has a value, its derivatives are not NaN", T, float, double) {
  for (T a : special_values<T>()) {
    for (T b : special_values<T>()) {
      op::for_each(op::Binary{}, [&]<class Op>() {
        T const y = Op::f(a, b);
        auto const d = Op::d(a, b, y);
        T const first = op::backward_of(d.p0, T(1)), second = op::backward_of(d.p1, T(1));
        bool const has_second = !(std::same_as<Op, op::Pow> && a < 0);
        if (y != y || (first == first && (second == second || !has_second))) return;
        FAIL_CHECK(checks::joined_text(Op::name, "(", a, ", ", b, "): ", first, " and ", second));
      });
    }
  }
}

TEST_CASE_TEMPLATE(
    "zero divided by the smallest number has no derivative with respect to the divisor", T, float,
    double) {
  T const least = std::numeric_limits<T>::denorm_min();
  CHECK(op::Div::d(T(0), least, T(0)).p1 == 0);
  CHECK(op::Div::d(Lanes<T>(T(0)), Lanes<T>(least), Lanes<T>(T(0))).p1.lane(0) == 0);
}

TEST_CASE_TEMPLATE("a power that underflows has a derivative of zero", T, float, double) {
  CHECK(op::Pow::d(T(2), -infinity<T>, T(0)).p0 == 0);
  CHECK(op::Pow::d(T(0.5), infinity<T>, T(0)).p0 == 0);
  CHECK(op::Pow::d(T(2), infinity<T>, infinity<T>).p0 == infinity<T>);
}
