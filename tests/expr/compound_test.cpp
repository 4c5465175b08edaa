#include <tenon/autodiff/grad.hpp>
#include <tenon/expr/map/compound.hpp>

#include "counting.hpp"

namespace compound_test {

namespace {

using namespace counting;

template <class X, class Y>
concept CanBeAdded = requires(X x, Y y) { x += y; };

static_assert(CanBeAdded<Float32<"a b">, Float32<"b">>);
static_assert(CanBeAdded<Float32<"a b=3">, float>);
static_assert(!CanBeAdded<Float32<"b">, Float32<"a b">>);  // x would have to grow by an axis
static_assert(!CanBeAdded<Float32<"1">, Float32<"3">>);
static_assert(!CanBeAdded<Float32<"a=2">, Float32<"a=3">>);
static_assert(!CanBeAdded<Float32<"a">, Float64<"a">>);
static_assert(!CanBeAdded<Int32<"a">, float>);

TEST_CASE_TEMPLATE("a compound assignment equals the operator and an assignment", D, Cpu,
                   Reference) {
  auto x = counted<Float32<"a b", D>>(2, 3);
  Float32<"a b", D> const before = x;
  Float32<"b", D> const y{1.0f, 10.0f, 100.0f};
  x += y;
  x *= 2;
  x -= before;
  x /= 4.0f;
  CHECK(elements(x) == elements(eval(((before + y) * 2 - before) / 4.0f)));
  CHECK(elements(before) == elements(counted<Float32<"a b", D>>(2, 3)));  // shared, unchanged
}

TEST_CASE("a compound assignment may read its left side, and returns it") {
  Float32<"2 2"> x{{1, 2}, {3, 4}};
  CHECK(&(x += transpose(x)) == &x);
  CHECK(elements(x) == elements(Float32<"2 2">{{2, 5}, {5, 8}}));
}

TEST_CASE("run-time sizes that differ throw and leave the tensor unchanged") {
  auto x = counted<Float32<"a">>(3);
  CHECK_THROWS_AS((x += counted<Float32<"a">>(4)), ShapeError);
  CHECK(elements(x) == elements(counted<Float32<"a">>(3)));
}

TEST_CASE("gradients flow through a sum that is accumulated in a loop") {
  auto const derivative = grad([](Float64<"3"> const& x) {
    Float64<""> total = zeros<Float64<"">>();
    for (int i = 1; i <= 4; ++i) total += sum(x * x) * double(i);
    return total;
  })(Float64<"3">{1, 2, 3});
  CHECK(elements(derivative) == elements(Float64<"3">{20, 40, 60}));
}

constexpr Float32<"3"> doubled(Float32<"3"> x) {
  x += x;
  return x;
}
static_assert(doubled(Float32<"3">{1, 2, 3})(2) == 6);

constexpr Int32<"5"> numbers{7, -7, 5, -8, 6};
constexpr Int32<"5"> divisors{-3, 3, 0, 3, 2};

/// The elements of one row encoded as one number, for comparisons at compile time.
template <class X>
constexpr bool is(X const& x, Int32<"5"> const& expected) {
  return eval(all(x == expected)).item();
}

static_assert(is(floor_divide(numbers - numbers % divisors, divisors), {-2, -2, 0, -2, 3}));
static_assert(is(numbers % divisors, {1, -1, 0, -2, 0}));
static_assert(is(floor_divide(numbers, divisors), {-3, -3, 0, -3, 3}));
static_assert(is(remainder(numbers, divisors), {-2, 2, 0, 1, 0}));
static_assert(is(numbers & 6, {6, 0, 4, 0, 6}));
static_assert(is(numbers | 1, {7, -7, 5, -7, 7}));
static_assert(is(numbers ^ 1, {6, -8, 4, -7, 7}));
static_assert(is(~numbers, {-8, 6, -6, 7, -7}));
static_assert(is(numbers << 1, {14, -14, 10, -16, 12}) && is(numbers << 32, {0, 0, 0, 0, 0}));
static_assert(is(numbers >> 1, {3, -4, 2, -4, 3}) && is(numbers >> 32, {0, -1, 0, -1, 0}));
static_assert(is(1 << (numbers % 3), {2, 0, 4, 0, 1}));

constexpr Mask<"4"> left{true, true, false, false}, right{true, false, true, false};
static_assert(eval(all((left & right) == logical_and(left, right))).item());
static_assert(eval(all((left | right) == logical_or(left, right))).item());
static_assert(eval(all((left ^ right) == logical_xor(left, right))).item());
static_assert(eval(all(~left == logical_not(left))).item());
static_assert(eval(all(logical_xor(left, right) == Mask<"4">{false, true, true, false})).item());

constexpr Int32<"3"> through_all(Int32<"3"> x) {
  x %= 100;
  x <<= 4;
  x |= 9;
  x &= 0xfd;
  x ^= Int32<"3">{1, 2, 3};
  x >>= 1;
  return x;
}
static_assert(eval(all(through_all({1, 2, 203}) == Int32<"3">{12, 21, 29})).item());
static_assert(!CanBeAdded<Mask<"a">, Mask<"a">>);

TEST_CASE_TEMPLATE("clamp has bounds that broadcast; NaN stays NaN", D, Cpu, Reference) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  Float32<"2 3", D> const x{{-5, 0.5f, nan}, {2, -0.5f, 9}};
  auto const y = eval(clamp(x, -1, Float32<"3", D>{0, 1, 2}));
  CHECK(y(0, 0) == -1);
  CHECK(y(0, 1) == 0.5f);
  CHECK(std::isnan(y(0, 2)));
  CHECK(y(1, 0) == 0);
  CHECK(y(1, 1) == -0.5f);
  CHECK(y(1, 2) == 2);
}

TEST_CASE("maximum and minimum are the binary max and min") {
  Float32<"3"> const a{1, 5, 3}, b{4, 2, 3};
  CHECK(elements(maximum(a, b)) == elements(max(a, b)));
  CHECK(elements(minimum(a, 2)) == elements(min(a, 2)));
}

}  // namespace

}  // namespace compound_test
