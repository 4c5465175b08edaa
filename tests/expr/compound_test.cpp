#include <tenon/autodiff/grad.hpp>
#include <tenon/expr/compound.hpp>

#include "counting.hpp"

namespace {

using namespace counting;

template <class X, class Y>
concept CanBeAdded = requires(X x, Y y) { x += y; };

static_assert(CanBeAdded<Float32<"a b">, Float32<"b">>);
static_assert(CanBeAdded<Float32<"a b=3">, float>);
static_assert(!CanBeAdded<Float32<"b">, Float32<"a b">>);  // x does not grow
static_assert(!CanBeAdded<Float32<"1">, Float32<"3">>);
static_assert(!CanBeAdded<Float32<"a=2">, Float32<"a=3">>);
static_assert(!CanBeAdded<Float32<"a">, Float64<"a">>);
static_assert(!CanBeAdded<Int32<"a">, float>);

TEST_CASE_TEMPLATE("a compound assignment gives what the operator gives", D, Cpu, Reference) {
  auto x = counted<Float32<"a b", D>>(2, 3);
  Float32<"a b", D> const before = x;
  Float32<"b", D> const y{1.0f, 10.0f, 100.0f};
  x += y;
  x *= 2;
  x -= before;
  x /= 4.0f;
  CHECK(elements(x) == elements(eval(((before + y) * 2 - before) / 4.0f)));
  CHECK(elements(before) == elements(counted<Float32<"a b", D>>(2, 3)));  // shared, not changed
}

TEST_CASE("a compound assignment may read what it changes, and gives its left side") {
  Float32<"2 2"> x{{1, 2}, {3, 4}};
  CHECK(&(x += transpose(x)) == &x);
  CHECK(elements(x) == elements(Float32<"2 2">{{2, 5}, {5, 8}}));
}

TEST_CASE("run-time sizes that differ throw, and lose nothing") {
  auto x = counted<Float32<"a">>(3);
  CHECK_THROWS_AS((x += counted<Float32<"a">>(4)), ShapeError);
  CHECK(elements(x) == elements(counted<Float32<"a">>(3)));
}

TEST_CASE("gradients flow through sums that grow in a loop") {
  auto const slope = grad([](Float64<"3"> const& x) {
    Float64<""> total = zeros<Float64<"">>();
    for (int i = 1; i <= 4; ++i) total += sum(x * x) * double(i);
    return total;
  })(Float64<"3">{1, 2, 3});
  CHECK(elements(slope) == elements(Float64<"3">{20, 40, 60}));
}

constexpr Float32<"3"> doubled(Float32<"3"> x) {
  x += x;
  return x;
}
static_assert(doubled(Float32<"3">{1, 2, 3})(2) == 6);

TEST_CASE_TEMPLATE("clamp keeps within bounds that may broadcast; NaN stays", D, Cpu, Reference) {
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

TEST_CASE("maximum and minimum are max and min of two") {
  Float32<"3"> const a{1, 5, 3}, b{4, 2, 3};
  CHECK(elements(maximum(a, b)) == elements(max(a, b)));
  CHECK(elements(minimum(a, 2)) == elements(min(a, 2)));
}

}  // namespace
