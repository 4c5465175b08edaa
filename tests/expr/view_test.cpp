#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <numeric>
#include <string>
#include <vector>

namespace view_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

constexpr float six[]{1, 2, 3, 4, 5, 6};
static_assert(view<Float32<"2 3">>(six)(1, 2) == 6);
static_assert(view<Float32<"3 2">>(six, ViewStrides(1, 3))(2, 1) == 6);
static_assert(view<Float32<"n 2">>(six + 5, 3, ViewStrides(-2, -1))(2, 1) == 1);
static_assert((view<Float32<"2 3">>(six) * 2.0f)(0, 1) == 4);
static_assert(Expression<View<float, "n">> && !TensorType<View<float, "n">>);
static_assert(std::is_same_v<TensorOf<View<float, "n">>, Float32<"n">>);

template <class T>
std::vector<T> counted(std::size_t n) {
  std::vector<T> numbers(n);
  std::iota(numbers.begin(), numbers.end(), T(0));
  return numbers;
}

TEST_CASE_TEMPLATE("a view is read like a tensor", D, Cpu, Reference) {
  auto const numbers = counted<float>(12);
  auto const x = view<Float32<"n m=4", D>>(numbers.data(), 3);
  auto const same = from_span<Float32<"n m=4", D>>(numbers, 3);
  CHECK(to_string(x) == to_string(same));
  CHECK(to_string(x * 2.0f + same) == to_string(same * 3.0f));
  CHECK(to_string(sum<"m">(x)) == to_string(sum<"m">(same)));
  CHECK(to_string(sum<"n">(x)) == to_string(sum<"n">(same)));
  CHECK(to_string(softmax<"m">(x)) == to_string(softmax<"m">(same)));
  CHECK(to_string(matmul(x, transpose(x))) == to_string(matmul(same, transpose(same))));
  CHECK(to_string(slice<"m", 1, 3>(x)) == to_string(slice<"m", 1, 3>(same)));
  CHECK(x(2, 1) == 9);
  CHECK(describe_tensor(x) == "float32 \"n=3 m=4\"");
  Float32<"n m", D> const copy = x;
  CHECK(copy.data() != numbers.data());
}

TEST_CASE_TEMPLATE("a view has its own strides", D, Cpu, Reference) {
  auto const numbers = counted<std::int32_t>(12);
  auto const* const first = numbers.data();
  CHECK(to_string(view<Int32<"m n", D>>(first, 4, 3, ViewStrides(1, 4))) ==
        "[[ 0  4  8]\n [ 1  5  9]\n [ 2  6 10]\n [ 3  7 11]]");
  CHECK(to_string(view<Int32<"n", D>>(first + 11, 4, ViewStrides(-3))) == "[11  8  5  2]");
  CHECK(to_string(view<Int32<"n 2", D>>(first, 3, ViewStrides(0, 1))) == "[[0 1]\n [0 1]\n [0 1]]");
  CHECK(to_string(sum<"n">(view<Int32<"n m", D>>(first, 3, 2, ViewStrides(4, 2)))) == "[12 18]");
  CHECK(to_string(view<Int32<"4 n", D>>(first, 0)) == "[]");
}

TEST_CASE_TEMPLATE("a view of a tensor shares its memory", D, Cpu, Reference) {
  auto x = iota<Float32<"n m", D>>(30, 4);
  auto const borrowed = view(x);
  CHECK(borrowed.data() == x.data());
  CHECK(to_string(borrowed - x) == to_string(x * 0.0f));
  auto const shared = x;
  assign(mutable_view(x), 1);
  CHECK(x(29, 3) == 1);
  CHECK(shared(29, 3) == 119);
}

TEST_CASE_TEMPLATE("assign writes the elements of a view and no others", D, Cpu, Reference) {
  std::vector<float> numbers(12, -1.0f);
  auto const column = view<Float32<"n", D>>(numbers.data() + 1, 3, ViewStrides(4));
  assign(column, iota<Float32<"n", D>>(3) * 10.0f);
  CHECK(numbers == std::vector<float>{-1, 0, -1, -1, -1, 10, -1, -1, -1, 20, -1, -1});
  assign(column, 7);
  CHECK(numbers == std::vector<float>{-1, 7, -1, -1, -1, 7, -1, -1, -1, 7, -1, -1});
  auto const square = view<Float32<"2 2", D>>(numbers.data());
  assign(square, matmul(eye<Float32<"2 2", D>>(), eye<Float32<"2 2", D>>()) + 1.0f);
  CHECK(numbers[0] == 2);
  CHECK(numbers[1] == 1);
}

TEST_CASE_TEMPLATE("assign reads the values from before the assignment", D, Cpu, Reference) {
  auto numbers = counted<double>(9);
  auto const x = view<Float64<"n n", D>>(numbers.data(), 3, 3);
  assign(x, transpose(x));
  CHECK(numbers == std::vector<double>{0, 3, 6, 1, 4, 7, 2, 5, 8});
  auto const all = view<Float64<"k", D>>(numbers.data(), 9);
  assign(all, view<Float64<"k", D>>(numbers.data() + 8, 9, ViewStrides(-1)));
  CHECK(numbers == std::vector<double>{8, 5, 2, 7, 4, 1, 6, 3, 0});
  assign(all, all - sum(all) / 9.0);
  CHECK(numbers == std::vector<double>{4, 1, -2, 3, 0, -3, 2, -1, -4});
  auto const front = view<Float64<"j", D>>(numbers.data() + 1, 8);
  assign(front, view<Float64<"j", D>>(numbers.data(), 8));
  CHECK(numbers == std::vector<double>{4, 4, 1, -2, 3, 0, -3, 2, -1});
}

TEST_CASE_TEMPLATE("a view without overlap is assigned by one kernel", D, Cpu, Reference) {
  auto numbers = counted<float>(12);
  auto const even = view<Float32<"n", D>>(numbers.data(), 3, ViewStrides(2));
  auto const other = iota<Float32<"n", D>>(3);
  auto const before = kernels_run;
  assign(even, other * 2.0f + 1.0f);
  CHECK(kernels_run == before + 1);
  assign(even, even + 1.0f);
  CHECK(kernels_run == before + 3);
}

TEST_CASE("invalid uses of a view throw") {
  auto numbers = counted<float>(12);
  CHECK_THROWS_AS((view<Float32<"n=1..2">>(numbers.data(), 3)), ShapeError);
  auto const x = view<Float32<"n">>(numbers.data(), 3);
  CHECK_THROWS_WITH_AS(assign(x, iota<Float32<"n">>(4)),
                       "tenon::assign: 'n': expected 3, got 4 (run-time sizes of \"n\")",
                       ShapeError);
  CHECK_THROWS_AS(x(3), Error);
  auto const leaf = iota<Float32<"n">>(3);
  CHECK_THROWS_WITH_AS(
      grad([](auto const& v) { return sum(view(v)); })(leaf),
      "tenon::view: expected a constant, got a recorded tensor, whose gradient a view would lose",
      Error);
  CHECK_THROWS_WITH_AS(
      grad([&](auto const& v) {
        assign(x, v * 2.0f);
        return sum(v);
      })(leaf),
      "tenon::assign: expected a constant, got a recorded value, whose gradient a view would lose",
      Error);
}

}  // namespace

}  // namespace view_test
