// The functions of tenon/elementwise.hpp, by the checks of all ops.

#include <tenon/elementwise.hpp>

#include "gradients.hpp"
#include "unary_values.hpp"

namespace elementwise_test {

using namespace every_op;

namespace {

/// All pairs of special arguments. (A cancelling sum of `logaddexp` is exact to its larger term.)
template <class Op, class T>
void binary_values() {
  Verdict verdict(claim<Op, T, Cpu>("pairs"));
  std::vector<T> const all = numbers<T>();
  auto const size = static_cast<std::int64_t>(all.size());
  for (std::int64_t shift = 0; shift < size; ++shift) {
    std::vector<T> const a = cycle(all, size), b = cycle(all, size, shift);
    auto const y = eval(map<Op>(vector_of<T, Cpu>(a), vector_of<T, Cpu>(b)));
    verdict.record(y);
    for (std::int64_t i = 0; i < size; ++i) {
      T const p = a[static_cast<std::size_t>(i)], q = b[static_cast<std::size_t>(i)];
      Wide const expected = Op::reference(Wide(p), Wide(q));
      Wide const lost = std::same_as<Op, op::LogAddExp> ? std::fabs(Wide(p)) + 1 : 0;
      bool const is_near =
          std::fabs(y(i) - expected) <= 4 * lost * std::numeric_limits<T>::epsilon();
      std::string const where = "f(" + std::to_string(p) + ", " + std::to_string(q) + ")";
      verdict.expect(is_near || agrees(y(i), expected, units_of<Op, T>()), where, i, y(i),
                     expected);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("the functions of elementwise.hpp have their values", T, float, double) {
  op::for_each(op::MoreUnary{}, []<class Op>() { unary_values<Op, T, Cpu>(); });
  op::for_each(op::MoreBinary{}, []<class Op>() { binary_values<Op, T>(); });
}

TEST_CASE("the functions of elementwise.hpp have the gradients of their references") {
  op::for_each(op::MoreUnary{}, []<class Op>() { unary_gradient<Op, Full, Cpu>(); });
  op::for_each(op::MoreBinary{}, []<class Op>() { binary_gradient<Op, Full, Full, Cpu>(); });
}

TEST_CASE("nan_to_num replaces NaN and infinities, whose gradient is zero") {
  float const most = std::numeric_limits<float>::max(),
              inf = std::numeric_limits<float>::infinity();
  Float32<"4"> const x = {NAN, inf, -inf, 2};
  Float32<"4"> const y = nan_to_num(x),
                     g = grad([](auto const& at) { return sum(nan_to_num(at)); })(x);
  for (int i = 0; i < 4; ++i) {
    CHECK(y(i) == std::array{0.0f, most, -most, 2.0f}[static_cast<std::size_t>(i)]);
    CHECK(g(i) == (i == 3 ? 1 : 0));
  }
}

}  // namespace elementwise_test
