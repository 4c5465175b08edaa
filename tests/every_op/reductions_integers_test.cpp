#include "reduction_definitions.hpp"

namespace folds_integers_test {

using namespace tenon::internal;

using namespace every_op;

namespace {

template <class T>
using Sum = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

/// Rows and columns of large elements: every sum, and every product of three, exceeds the range of
/// the dtype.
template <class T, class D>
void sums_and_products() {
  std::int64_t const n = 2 * lane_count + 3;
  Tensor<T, "a b", D> const x = full<Tensor<T, "a b", D>>(std::numeric_limits<T>::max(), 3, n);
  auto const largest = static_cast<Sum<T>>(std::numeric_limits<T>::max());
  auto const length = static_cast<Sum<T>>(n);
  static_assert(std::same_as<typename decltype(sum(x))::value_type, Sum<T>>);
  static_assert(std::same_as<typename decltype(prod<"a">(x))::value_type, Sum<T>>);
  CHECK(sum(x).item() == 3 * length * largest);
  CHECK(sum<"b">(x)(2) == length * largest);
  CHECK(sum<"a">(x, keep)(0, n - 1) == 3 * largest);
  CHECK(prod<"a">(x)(n - 1) == largest * largest * largest);
  CHECK(eval(reduce<"a b -> b", op::sum>(x))(0) == 3 * largest);
  CHECK(eval(reduce<"a b -> a", op::prod>(slice<"b", 0, 2>(x)))(1) == largest * largest);
  CHECK(cumsum<"b">(x)(1, n - 1) == length * largest);
  CHECK(cumprod<"a">(x)(2, 0) == largest * largest * largest);
}

}  // namespace

TEST_CASE_TEMPLATE("sums and products of narrow integers are 64 bits wide", D, Cpu, Reference) {
  sums_and_products<std::uint8_t, D>();
  sums_and_products<std::int8_t, D>();
  sums_and_products<std::int16_t, D>();
  sums_and_products<std::uint16_t, D>();
}

TEST_CASE_TEMPLATE("the lowest integers are summed, also in expressions", D, Cpu, Reference) {
  Tensor<std::int8_t, "4", D> const x{-128, -128, -128, -128};
  CHECK(sum(x).item() == -512);
  CHECK(sum(max(x, Tensor<std::int8_t, "4", D>{-100, 1, 2, -128})).item() == -225);
  CHECK((sum(x) - sum(Tensor<std::int32_t, "2", D>{INT32_MIN, -1})).item() == 2147483137);
  CHECK(prod(Tensor<std::int32_t, "2", D>{INT32_MIN, INT32_MAX}).item() ==
        std::int64_t{INT32_MIN} * INT32_MAX);
  CHECK(trace(full<Tensor<std::uint8_t, "2 2", D>>(200)).item() == 400);
}

TEST_CASE("small tensors are summed at compile time") {
  constexpr UInt8<"3"> x{200, 100, 5};
  static_assert(sum(x).item() == 305);
  static_assert(prod(x).item() == 100000);
}

TEST_CASE_TEMPLATE("sums and products of 64-bit integers wrap around and keep their dtype", D, Cpu,
                   Reference) {
  Tensor<std::uint64_t, "2", D> const x{~std::uint64_t{0}, 3};
  CHECK(sum(x).item() == 2);
  CHECK(prod(x).item() == std::uint64_t{0} - 3);
  static_assert(std::same_as<typename decltype(sum(x))::value_type, std::uint64_t>);
  static_assert(std::same_as<typename decltype(max(Tensor<std::uint8_t, "2", D>()))::value_type,
                             std::uint8_t>);
}

}  // namespace folds_integers_test
