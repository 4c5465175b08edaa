#include "reference.hpp"

namespace masks_test {

using namespace every_op;

namespace {

template <class Op, class T, class D>
void compares() {
  Verdict verdict(claim<Op, T, D>("values"));
  auto const& reference = reference_of<Op>(comparison_references);
  std::vector<T> all;
  if constexpr (std::is_floating_point_v<T>) all = numbers<T>();
  else all = {0, 1, 2, 5, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), 100};
  for (std::int64_t shift = 0; shift < 9; ++shift) {
    for (std::int64_t const length : lengths()) {
      auto const a = cycle(all, length), b = cycle(all, length, shift);
      auto const y = eval(map<Op>(vector_of<T, D>(a), vector_of<T, D>(b)));
      verdict.record(y);
      static_assert(std::same_as<typename decltype(y)::value_type, bool>);
      REQUIRE(y.size() == length);
      for (std::int64_t i = 0; i < length; ++i) {
        T const p = a[static_cast<std::size_t>(i)], q = b[static_cast<std::size_t>(i)];
        bool const expected = reference.f(p, q);
        verdict.expect(y(i) == expected, "value", i, y(i), expected);
      }
    }
  }
}

template <class D>
Tensor<bool, "n", D> mask_of(std::int64_t length, std::int64_t period) {
  Tensor<bool, "n", D> mask = zeros<Tensor<bool, "n", D>>(length);
  for (std::int64_t i = 0; i < length; ++i) mask(i) = i % period < (period + 1) / 2;
  return mask;
}

template <class Op>
auto const& reference_of_masks() {
  if constexpr (requires { Op::f(1, 1); }) return reference_of<Op>(comparison_references);
  else return reference_of<Op>(mask_references);
}

template <class Op, class D, class... M>
void combines(std::int64_t length, M const&... masks) {
  Verdict verdict(claim<Op, bool, D>("values"));
  auto const& reference = reference_of_masks<Op>();
  auto const y = eval(map<Op>(masks...));
  verdict.record(y);
  for (std::int64_t i = 0; i < length; ++i) {
    bool const of[] = {masks(i)..., false};
    bool const expected = reference.f(of[0], of[1]);
    verdict.expect(y(i) == expected, "value", i, y(i), expected);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("every comparison has the result of C++", D, Cpu, Reference) {
  op::for_each(op::Comparisons{}, []<class Op>() {
    compares<Op, float, D>();
    compares<Op, double, D>();
    compares<Op, std::int32_t, D>();
    compares<Op, std::int64_t, D>();
    compares<Op, std::uint8_t, D>();
  });
}

TEST_CASE_TEMPLATE("every op of masks follows its truth table in every tail", D, Cpu, Reference) {
  for (std::int64_t const length : lengths()) {
    auto const a = mask_of<D>(length, 2), b = mask_of<D>(length, 5);
    op::for_each(op::MaskUnary{}, [&]<class Op>() { combines<Op, D>(length, a); });
    using Binary = op::Joined<op::MaskBinary, op::Comparisons>;
    op::for_each(Binary{}, [&]<class Op>() { combines<Op, D>(length, a, b); });
  }
}

}  // namespace masks_test
