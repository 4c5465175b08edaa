#include "gradients.hpp"

namespace ternary_test {

using namespace tenon::internal;

using namespace every_op;

namespace {

/// A mask as an operand with a layout.
template <class L, class D>
auto mask_operand(Area e) {
  using Value = typename L::template Value<bool, D>;
  Value mask = Value::uninitialised(L::sizes(e));
  for (std::int64_t i = 0; i < mask.size(); ++i) mask.mutable_data()[i] = i % 3 != 1;
  return mask;
}

template <class Op, class M, class L, class R, class D>
void ternary_gradient() {
  Verdict verdict(claim<Op, double, D>(std::string(M::name) + ", " + std::string(L::name) + ", " +
                                       std::string(R::name)));
  auto const& reference = reference_of<Op>(ternary_references);
  for (Area const e : areas()) {
    Tape tape;
    auto const mask = mask_operand<M, D>(e);
    auto const a = recorded(operand<L, double, D>(e, 0, op::Domain::everywhere), tape);
    auto const b = recorded(operand<R, double, D>(e, 1000, op::Domain::everywhere), tape);
    auto const y = eval(map<Op>(M::view(mask), L::view(a), R::view(b)));
    verdict.record(y);
    auto const dy = adjoint_like(y);
    std::vector<Wide> of_a = no_derivatives(a.size()), of_b = no_derivatives(b.size());
    for (std::int64_t k = 0; k < e.rows * e.columns; ++k) {
      std::int64_t const row = k / e.columns, column = k % e.columns;
      bool const m = elements_of(mask)[M::at(e, row, column)];
      std::int64_t const i = L::at(e, row, column), j = R::at(e, row, column);
      Wide const p = elements_of(a)[i], q = elements_of(b)[j], share = elements_of(dy)[k];
      verdict.expect(elements_of(y)[k] == reference.f(m, p, q), "value", k, elements_of(y)[k],
                     reference.f(m, p, q));
      entry(of_a, i) += share * derivative([&](Wide x) { return reference.f(m, x, q); }, p);
      entry(of_b, j) += share * derivative([&](Wide x) { return reference.f(m, p, x); }, q);
    }
    seed(y, dy, tape);
    tape.backward();
    expect_gradient(verdict, "gradient of the second", gradient_of(a, tape), of_a);
    expect_gradient(verdict, "gradient of the third", gradient_of(b, tape), of_b);
  }
}

/// One dtype, every tail, and an arithmetic scalar as either operand.
template <class Op, class T, class D>
void tails_and_numbers() {
  Verdict verdict(claim<Op, T, D>("tails"));
  auto const& reference = reference_of<Op>(ternary_references);
  for (std::int64_t const length : lengths()) {
    auto const a = vector_of<T, D>(cycle<T>({1, 2, 3, 4, 5}, length));
    auto const mask = eval(a < T(3));
    auto const y = eval(map<Op>(mask, a, T(7))), z = eval(map<Op>(mask, 8, a));
    verdict.record(y);
    verdict.record(z);
    for (std::int64_t i = 0; i < length; ++i) {
      Wide const one = reference.f(mask(i), a(i), 7), other = reference.f(mask(i), 8, a(i));
      verdict.expect(agrees(y(i), one, 0), "number as third", i, y(i), one);
      verdict.expect(agrees(z(i), other, 0), "number as second", i, z(i), other);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("every ternary op broadcasts, with its gradient", D, Cpu, Reference) {
  op::for_each(op::Ternary{}, []<class Op>() {
    ternary_gradient<Op, Full, Full, Full, D>();
    ternary_gradient<Op, OneRow, Full, Single, D>();
    ternary_gradient<Op, OneColumn, OneRow, Full, D>();
    ternary_gradient<Op, Full, Stretched, Transposed, D>();
    ternary_gradient<Op, Transposed, Sliced, Full, D>();
    ternary_gradient<Op, Single, Full, Full, D>();
  });
}

TEST_CASE_TEMPLATE("every ternary op takes arithmetic scalars in every dtype", D, Cpu, Reference) {
  op::for_each(op::Ternary{}, []<class Op>() {
    tails_and_numbers<Op, float, D>();
    tails_and_numbers<Op, double, D>();
    tails_and_numbers<Op, std::int8_t, D>();
    tails_and_numbers<Op, std::int32_t, D>();
    tails_and_numbers<Op, std::uint64_t, D>();
  });
}

TEST_CASE_TEMPLATE("the branch that where does not select may be infinite or NaN", D, Cpu,
                   Reference) {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  Tape tape;
  auto const x = recorded(vector_of<double, D>({1, 4, -1, 9}), tape);
  auto const wild = recorded(vector_of<double, D>({inf, nan, 3, -inf}), tape);
  auto const y = eval(where(x > 0.0, x, wild));
  seed(y, adjoint_like(y), tape);
  tape.backward();
  auto const dx = gradient_of(x, tape), dwild = gradient_of(wild, tape);
  for (std::int64_t const i : {0, 1, 3}) {
    CHECK(y(i) == x(i));
    CHECK(dx(i) == adjoint(i));
    CHECK(dwild(i) == 0);
  }
  CHECK(dx(2) == 0);
  CHECK(dwild(2) == adjoint(2));
}

}  // namespace ternary_test
