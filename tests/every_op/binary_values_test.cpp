#include "reference.hpp"

namespace binary_values_test {

using namespace every_op;

namespace {

/// All pairs of numbers; the length is odd, so that pairs are in different lanes.
template <class Op, class T, class D>
void edges() {
  Verdict verdict(claim<Op, T, D>("edges"));
  int const units = units_of<Op, T>();
  std::vector<T> const all = numbers<T>();
  auto const size = static_cast<std::int64_t>(all.size());
  for (std::int64_t shift = 0; shift < size; ++shift) {
    std::int64_t const length = size - shift % 2;
    std::vector<T> const a = cycle(all, length), b = cycle(all, length, shift);
    auto const y = eval(map<Op>(vector_of<T, D>(a), vector_of<T, D>(b)));
    verdict.record(y);
    for (std::int64_t i = 0; i < length; ++i) {
      T const p = a[static_cast<std::size_t>(i)], q = b[static_cast<std::size_t>(i)];
      Wide const expected = Op::reference(Wide(p), Wide(q));
      std::string const where = "f(" + std::to_string(p) + ", " + std::to_string(q) + ")";
      verdict.expect(agrees(y(i), expected, units), where, i, y(i), expected);
    }
  }
}

template <class Op, class T, class D>
void tails() {
  Verdict verdict(claim<Op, T, D>("tails"));
  int const units = units_of<Op, T>();
  for (std::int64_t const length : lengths()) {
    auto const a = cycle<T>({3, T(0.5), T(1.5), 2, T(0.25)}, length);
    auto const b = cycle<T>({T(0.5), 4, -2, 1, 3, T(-0.75), 2}, length);
    auto const y = eval(map<Op>(vector_of<T, D>(a), vector_of<T, D>(b)));
    verdict.record(y);
    REQUIRE(y.size() == length);
    for (std::int64_t i = 0; i < length; ++i) {
      Wide const expected =
          Op::reference(Wide(a[static_cast<std::size_t>(i)]), Wide(b[static_cast<std::size_t>(i)]));
      verdict.expect(agrees(y(i), expected, units), "value", i, y(i), expected);
    }
  }
}

template <class T, class D>
void both() {
  op::for_each(op::Binary{}, []<class Op>() {
    edges<Op, T, D>();
    tails<Op, T, D>();
  });
}

}  // namespace

TEST_CASE_TEMPLATE("every binary op has its value, at special arguments and in tails", D, Cpu,
                   Reference) {
  both<float, D>();
  both<double, D>();
}

}  // namespace binary_values_test
