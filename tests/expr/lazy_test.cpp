// Whether a value is an expression, and whether its value is cached.

#include <doctest/doctest.h>

#include <array>

#include <tenon/tenon.hpp>

namespace lazy_test {

using namespace tenon;

using Matrix = Float32<"row=20 column=20">;

static_assert(!is_lazy(Float32<"2">{1, 2}) && is_evaluated(Float32<"2">{1, 2}));
static_assert(is_lazy(Float32<"2">{1, 2} + 1) && !is_evaluated(sum(Float32<"2">{1, 2})));

TEST_CASE("a tensor and a view of memory are evaluated, an elementwise expression never") {
  std::array<float, 3> const numbers{1, 2, 3};
  auto const borrowed = view<Float32<"n">>(numbers.data(), 3);
  CHECK((!is_lazy(borrowed) && is_evaluated(borrowed)));
  auto const sums = borrowed + 1;
  CHECK(sums(1) == 3);
  CHECK((is_lazy(sums) && !is_evaluated(sums)));
  CHECK(is_evaluated(eval(sums)));
}

TEST_CASE("a named reduction is evaluated when an element is read, with its later copies") {
  auto const total = sum<"row">(ones<Matrix>());
  auto const before = total;
  CHECK((is_lazy(total) && !is_evaluated(total)));
  CHECK(total(3) == 20);
  auto const after = total;
  CHECK((is_evaluated(total) && is_evaluated(after) && !is_evaluated(before)));
  CHECK(is_lazy(total));
}

TEST_CASE("a named contraction is evaluated as an operand") {
  Matrix const a = ones<Matrix>(), b = ones<Matrix>();
  auto product = matmul(a, transpose(b));
  auto const unnamed = eval(matmul(a, transpose(b)) + 1.0f);
  CHECK(!is_evaluated(product));
  auto const named = product + 1.0f;
  CHECK(is_evaluated(product));
  CHECK(unnamed(0, 0) == eval(named)(0, 0));
}

}  // namespace lazy_test
