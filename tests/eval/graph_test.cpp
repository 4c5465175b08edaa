// Second derivatives of every op, computed from the bodies of the first derivatives.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/eval/graph/reverse.hpp>
#include <tenon/tenon.hpp>

namespace graph_test {

using namespace tenon;

namespace {

using Number = tenon::internal::graph::Number<double>;

/// The partial derivative of an op with respect to operand k, computed on scalars.
template <class Op, std::size_t k, class... X>
double derivative(X... x) {
  auto const derivatives = Op::d(x..., Op::f(x...));
  if constexpr (k == 0) return op::backward_of(derivatives.p0, 1.0);
  else return op::backward_of(derivatives.p1, 1.0);
}

/// The adjoint of a leaf as a number; zero if there is none.
double adjoint(tenon::internal::graph::Reverse const& adjoints, Number leaf) {
  tenon::internal::graph::Id const* const found = adjoints.of(leaf.id);
  return found ? *tenon::internal::graph::values().elements_of(*found).memory.as<double>() : 0;
}

/// The adjoints of all leaves, where that of `y` is one.
tenon::internal::graph::Reverse pulled_from(Number y,
                                            std::span<tenon::internal::graph::Id const> leaves) {
  tenon::internal::graph::Reverse adjoints({&y.id, 1}, leaves);
  adjoints.add(y.id, Number(1.0).id);
  adjoints.backward();
  return adjoints;
}

double difference(double up, double down, double step) { return (up - down) / (2 * step); }

void check_close(double got, double expected) {
  CHECK(got == doctest::Approx(expected).epsilon(1e-6).scale(1));
}

template <class Op>
void check_unary(double at) {
  if (std::isnan(Op::f(at))) return;
  CAPTURE(at);
  tenon::internal::graph::Scope const scope;
  std::array const leaves{tenon::internal::graph::values().as_leaf(Number(at).id)};
  tenon::internal::graph::Reverse const first =
      pulled_from(tenon::internal::graph::map<Op>(Number(leaves[0])), leaves);
  double second = 0;
  if (tenon::internal::graph::Id const* const found = first.of(leaves[0]))
    second = adjoint(pulled_from(Number(*found), leaves), Number(leaves[0]));
  double const h = 1e-6;
  check_close(second, difference(derivative<Op, 0>(at + h), derivative<Op, 0>(at - h), h));
}

template <class Op>
void check_binary(double a, double b) {
  CAPTURE(a);
  CAPTURE(b);
  tenon::internal::graph::Scope const scope;
  std::array const leaves{tenon::internal::graph::values().as_leaf(Number(a).id),
                          tenon::internal::graph::values().as_leaf(Number(b).id)};
  Number const y = tenon::internal::graph::map<Op>(Number(leaves[0]), Number(leaves[1]));
  tenon::internal::graph::Reverse const first = pulled_from(y, leaves);
  tenon::internal::graph::Id const* const by_a = first.of(leaves[0]);
  if (by_a == nullptr) return;
  tenon::internal::graph::Reverse const second = pulled_from(Number(*by_a), leaves);
  double const h = 1e-6;
  check_close(adjoint(second, Number(leaves[0])),
              difference(derivative<Op, 0>(a + h, b), derivative<Op, 0>(a - h, b), h));
  check_close(adjoint(second, Number(leaves[1])),
              difference(derivative<Op, 0>(a, b + h), derivative<Op, 0>(a, b - h), h));
}

}  // namespace

TEST_CASE("every unary op has a second derivative") {
  op::for_each(op::Unary{}, []<class Op>() {
    CAPTURE(std::string(Op::name));
    for (double const x : {-2.3, -0.4, 0.7, 1.6, 3.2}) check_unary<Op>(x);
  });
}

TEST_CASE("every binary op has second derivatives") {
  op::for_each(op::Binary{}, []<class Op>() {
    CAPTURE(std::string(Op::name));
    for (double const a : {0.6, 1.7}) {
      for (double const b : {-1.3, 0.9, 2.2}) check_binary<Op>(a, b);
    }
  });
}

}  // namespace graph_test
