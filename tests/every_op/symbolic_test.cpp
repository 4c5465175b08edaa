// The formula of an op for graphs, `symbolic`, with numbers: it has the values of the op.

#include <tuple>

#include "reference.hpp"

#include <tenon/op/more.hpp>
#include <tenon/op/symbolic.hpp>

namespace symbolic_test {

using namespace every_op;

namespace {

/// Whether the formula cancels there: the error is that of 1.
template <class Op>
bool cancels(Wide x) {
  if (std::same_as<Op, op::Erfc>) return x > 1;
  return (std::same_as<Op, op::Gelu> || std::same_as<Op, op::GeluTanh>)&&x < -1;
}

/// Within 32 units in the last place, down to the normal numbers, where a factor may be subnormal;
/// zeros with their sign.
template <class Op, class T>
bool is_near(T got, Wide expected, T x) {
  T const rounded = static_cast<T>(expected);
  if (got == 0 && rounded == 0) return std::signbit(got) == std::signbit(rounded);
  if (got == rounded || (got != got && rounded != rounded)) return true;
  Wide const smallest = std::numeric_limits<T>::min();
  Wide const size = cancels<Op>(x) ? Wide(1) : std::max(std::fabs(expected), smallest);
  Wide const lost = std::fabs(Wide(x)) * std::numeric_limits<T>::denorm_min();
  return std::fabs(got - expected) <= 32 * Wide(std::numeric_limits<T>::epsilon()) * size + lost;
}
template <class Op, class T>
bool is_near(bool got, Wide expected, T) {
  return Wide(got) == expected;
}

template <class Op>
Wide reference_at(Wide x) {
  if constexpr (requires { Op::reference(x); }) return Op::reference(x);
  else return reference_of<Op>(predicate_references).f(x);
}
template <class Op>
Wide reference_at(Wide a, Wide b) {
  if constexpr (requires { Op::reference(a, b); }) return Op::reference(a, b);
  else return reference_of<Op>(comparison_references).f(a, b);
}

template <class Op, class T, class... X>
void compare(Verdict& verdict, std::int64_t at, X... x) {
  auto const got = Op::symbolic(x...);
  Wide const expected = reference_at<Op>(Wide(x)...);
  std::string const where = "formula" + (std::string() + ... + (" " + std::to_string(x)));
  verdict.expect(is_near<Op>(got, expected, std::get<0>(std::tuple(x...))), where, at, got,
                 expected);
}

/// Returns whether the op has a formula for numbers.
template <class Op, class T>
bool compare_all() {
  if constexpr (requires { &Op::template symbolic<T>; }) {
    Verdict verdict(claim<Op, T, Cpu>("formula for graphs"));
    std::int64_t at = 0;
    for (T const x : numbers<T>()) {
      if constexpr (requires { Op::symbolic(x); }) compare<Op, T>(verdict, at++, x);
      else
        for (T const y : numbers<T>()) compare<Op, T>(verdict, at++, x, y);
    }
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE_TEMPLATE("the formula of an op for graphs has the values of its reference", T, float,
                   double) {
  int formulas = 0;
  using Ops = op::Joined<op::All, op::MoreUnary, op::MoreBinary>;
  op::for_each(Ops(), [&]<class Op>() { formulas += compare_all<Op, T>(); });
  CHECK(formulas >= 24);
}

}  // namespace symbolic_test
