#pragma once

// Tests an op on operands of any layout, in double: its value, and its gradient, compared with
// central differences of the reference.

#include "layouts.hpp"

namespace every_op {

using namespace tenon::internal;

/// The derivative of f at x.
template <class F>
Wide derivative(F const& f, Wide x) {
  Wide const h = 1e-6L;
  return (f(x + h) - f(x - h)) / (2 * h);
}

inline bool near(Wide got, Wide expected, Wide tolerance) {
  return std::fabs(got - expected) <= tolerance * (1 + std::fabs(expected));
}

template <TensorType E>
E recorded(E x, Tape& tape) {
  x.set_mark(tape.new_slot());
  return x;
}

inline double adjoint(std::int64_t i) { return wave(std::cos(static_cast<double>(i) * 0.7)); }

/// The adjoint of a result: distinct numbers.
template <TensorType E>
E adjoint_like(E const& y) {
  E result = E::uninitialised(y.sizes());
  auto* const to = result.mutable_data();
  for (std::int64_t i = 0; i < y.size(); ++i) to[i] = adjoint(i);
  return result;
}

/// Compares an adjoint with the sums of central differences, and records it.
template <TensorType E>
void expect_gradient(Verdict& verdict, std::string const& where, E const& got,
                     std::vector<Wide> const& expected) {
  verdict.record(got);
  for (std::int64_t i = 0; i < got.size(); ++i) {
    Wide const value = elements_of(got)[i], wanted = expected[static_cast<std::size_t>(i)];
    verdict.expect(near(value, wanted, 1e-9L), where, i, value, wanted);
  }
}

inline std::vector<Wide> no_derivatives(std::int64_t count) {
  return std::vector<Wide>(static_cast<std::size_t>(count));
}
inline Wide& entry(std::vector<Wide>& all, std::int64_t i) {
  return all[static_cast<std::size_t>(i)];
}

template <class Op, class L, class D>
void unary_gradient() {
  Verdict verdict(claim<Op, double, D>(L::name));
  for (Area const e : areas()) {
    Tape tape;
    auto const x = recorded(operand<L, double, D>(e, 0, op::domain_of<Op>()), tape);
    auto const y = eval(map<Op>(L::view(x)));
    verdict.record(y);
    auto const dy = adjoint_like(y);
    std::vector<Wide> expected = no_derivatives(x.size());
    for (std::int64_t k = 0; k < e.rows * e.columns; ++k) {
      std::int64_t const at = L::at(e, k / e.columns, k % e.columns);
      Wide const from = elements_of(x)[at];
      Wide const value = Op::reference(from);
      verdict.expect(near(elements_of(y)[k], value, 1e-14L), "value", k, elements_of(y)[k], value);
      entry(expected, at) +=
          elements_of(dy)[k] *
          derivative([](Wide argument) -> Wide { return Op::reference(argument); }, from);
    }
    seed(y, dy, tape);
    tape.backward();
    expect_gradient(verdict, "gradient", gradient_of(x, tape), expected);
  }
}

template <class Op, class L, class R, class D>
void binary_gradient() {
  Verdict verdict(claim<Op, double, D>(std::string(L::name) + ", " + std::string(R::name)));
  for (Area const e : areas()) {
    Tape tape;
    auto const a = recorded(operand<L, double, D>(e, 0, op::domain_of<Op>()), tape);
    auto const b = recorded(operand<R, double, D>(e, 1000, op::domain_of<Op>()), tape);
    auto const y = eval(map<Op>(L::view(a), R::view(b)));
    verdict.record(y);
    auto const dy = adjoint_like(y);
    std::vector<Wide> of_a = no_derivatives(a.size()), of_b = no_derivatives(b.size());
    for (std::int64_t k = 0; k < e.rows * e.columns; ++k) {
      std::int64_t const i = L::at(e, k / e.columns, k % e.columns);
      std::int64_t const j = R::at(e, k / e.columns, k % e.columns);
      Wide const p = elements_of(a)[i], q = elements_of(b)[j], value = Op::reference(p, q),
                 share = elements_of(dy)[k];
      verdict.expect(near(elements_of(y)[k], value, 1e-14L), "value", k, elements_of(y)[k], value);
      entry(of_a, i) += share * derivative([&](Wide x) { return Op::reference(x, q); }, p);
      entry(of_b, j) += share * derivative([&](Wide x) { return Op::reference(p, x); }, q);
    }
    seed(y, dy, tape);
    tape.backward();
    expect_gradient(verdict, "gradient of the first", gradient_of(a, tape), of_a);
    expect_gradient(verdict, "gradient of the second", gradient_of(b, tape), of_b);
  }
}

}  // namespace every_op
