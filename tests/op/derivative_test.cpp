#include "derivative_checks.hpp"
#include "every_op.hpp"

using namespace tenon;

namespace {

/// A deliberate mistake: the derivative of tanh without its square.
struct WrongDerivative {
  static constexpr std::string_view name = "wrong tanh";
  template <class V>
  static constexpr V f(V x) {
    return op::Tanh::f(x);
  }
  template <class V>
  static constexpr auto d(V, V y) {
    return op::partials(V(tenon::internal::intrinsics::scalar_of<V>(1)) - y);
  }
};

}  // namespace

TEST_CASE("every derivative agrees with central differences") {
  auto const expect = []<class Op>() { expect_none(checks::derivative_mistakes<Op>()); };
  op::for_each(op::Unary{}, expect);
  op::for_each(op::Binary{}, expect);
}

TEST_CASE("a deliberately wrong derivative is detected") {
  CHECK(!checks::derivative_mistakes<WrongDerivative>().empty());
}

TEST_CASE_TEMPLATE("every derivative is the same in lanes", T, float, double) {
  auto const expect = []<class Op>() { expect_none(checks::derivative_lane_mistakes<Op, T>()); };
  op::for_each(op::Unary{}, expect);
  op::for_each(op::Binary{}, expect);
}

TEST_CASE(
    "where passes no adjoint to the operand that is not selected, however large the adjoint") {
  double const infinite = std::numeric_limits<double>::infinity();
  auto const d = op::Where::d(true, 1.0, 2.0, 1.0);
  CHECK(op::backward_of(d.p0, 1.0) == 0);
  CHECK(op::backward_of(d.p1, infinite) == infinite);
  CHECK(op::backward_of(d.p2, infinite) == 0);
}

TEST_CASE("ties share the gradient") {
  auto const d = op::Maximum::d(2.0, 2.0, 2.0);
  CHECK(d.p0 == 0.5);
  CHECK(d.p1 == 0.5);
}

TEST_CASE("a cast passes the adjoint between floating dtypes only") {
  CHECK(std::same_as<decltype(op::Cast<float>::d(1.0, 1.0f).p0), op::One>);
  CHECK(std::same_as<decltype(op::Cast<int>::d(1.0, 1).p0), op::Zero>);
}
