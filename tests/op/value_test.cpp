#include "every_op.hpp"

using namespace tenon;

// True if long double has more digits than double and can be its reference.
inline constexpr bool long_double_is_longer =
    std::numeric_limits<long double>::digits > std::numeric_limits<double>::digits;

TEST_CASE_TEMPLATE("every op has the value of its reference, at special arguments and in between",
                   T, float, double) {
  if (std::same_as<T, double> && !long_double_is_longer) return;
  auto const expect = []<class Op>() { expect_none(checks::value_mistakes<Op, T>()); };
  op::for_each(op::Unary{}, expect);
  op::for_each(op::Binary{}, expect);
}

namespace {

template <class Op>
constexpr bool works_in_constant_evaluation() {
  if constexpr (requires { Op::f(1.25); }) {
    return Op::f(0.75) == Op::f(0.75) && Op::f(0.5f) == Op::f(0.5f);
  } else if constexpr (requires { Op::f(1.25, 0.5); }) {
    return Op::f(1.25, 0.5) == Op::f(1.25, 0.5) && Op::f(2.0f, 0.5f) == Op::f(2.0f, 0.5f);
  } else if constexpr (requires { Op::f(true, 1.25, 0.5); }) {
    return Op::f(true, 1.25, 0.5) == 1.25;
  } else {
    return true;
  }
}

template <class... Ops>
constexpr bool all_work(op::List<Ops...>) {
  return ((works_in_constant_evaluation<Ops>() && !Ops::name.empty()) && ...);
}
static_assert(all_work(op::All{}));

constexpr bool near(double got, double expected) {
  return tenon::internal::intrinsics::abs(got - expected) <=
         4e-16 * tenon::internal::intrinsics::abs(expected);
}
static_assert(near(op::Exp::f(1.0), 2.718281828459045));
static_assert(near(op::Log::f(10.0), 2.302585092994046));
static_assert(near(op::Tanh::f(0.5), 0.46211715726000976));
static_assert(near(op::Erf::f(0.5), 0.5204998778130465));
static_assert(near(op::Gelu::f(-1.0), -0.15865525393145707));
static_assert(near(op::Sin::f(1.0), 0.8414709848078965));
static_assert(near(op::Cos::f(1e22), 0.5232147853951389));
static_assert(near(op::Pow::f(2.0, 0.5), 1.4142135623730951));
static_assert(near(op::Sqrt::f(2.0), 1.4142135623730951));

}  // namespace

TEST_CASE("zeros have the sign of the reference") {
  for (double x : {0.0, -0.0}) {
    CHECK(std::signbit(op::Sin::f(x)) == std::signbit(x));
    CHECK(std::signbit(op::Tanh::f(x)) == std::signbit(x));
    CHECK(std::signbit(op::Erf::f(x)) == std::signbit(x));
    CHECK(std::signbit(op::Gelu::f(x)) == std::signbit(x));
    CHECK(std::signbit(op::Sqrt::f(x)) == std::signbit(x));
  }
  CHECK(!std::signbit(op::Maximum::f(-0.0f, 0.0f)));
  CHECK(!std::signbit(op::Maximum::f(0.0f, -0.0f)));
  CHECK(std::signbit(op::Minimum::f(-0.0f, 0.0f)));
  CHECK(std::signbit(op::Minimum::f(0.0f, -0.0f)));
}

TEST_CASE("integers wrap around, and no division traps") {
  CHECK(op::Add::f(std::int8_t(127), std::int8_t(1)) == -128);
  CHECK(op::Mul::f(std::uint16_t(65535), std::uint16_t(65535)) == 1);
  CHECK(op::Neg::f(std::numeric_limits<std::int64_t>::min()) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(op::FloorDivide::f(7, 0) == 0);
  CHECK(op::FloorDivide::f(std::numeric_limits<int>::min(), -1) == std::numeric_limits<int>::min());
  CHECK(op::FloorDivide::f(-7, 2) == -4);
}
