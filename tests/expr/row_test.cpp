#include <tenon/autodiff/grad.hpp>
#include <tenon/expr/view/row.hpp>

#include "counting.hpp"

namespace row_test {

namespace {

using namespace counting;

TEST_CASE_TEMPLATE("an index along an axis gives a tensor without that axis", D, Cpu, Reference) {
  auto const x = counted<Float32<"a b=3 c", D>>(2, 4);
  CHECK(spec(take<"b">(x, 1)) == "a c");
  CHECK(elements(take<"b">(x, 1)) == elements(slice<"b", 1, 2>(x)));
  CHECK(elements(take<"c">(x, -1)) == std::vector<double>{3, 7, 11, 15, 19, 23});
  CHECK(spec(x[1]) == "b=3 c");
  CHECK(elements(x[1]) == elements(slice<"a", 1, 2>(x)));
  CHECK(x[1][2][3].item() == x(1, 2, 3));
  CHECK(elements((x * 2)[0]) == elements(eval(x[0] * 2)));
}

TEST_CASE("an index out of range throws") {
  auto const x = counted<Float32<"a b=3">>(2);
  CHECK_THROWS_WITH_AS(x[2], "tenon::take: 'a': expected an index below 2, got 2 (\"a b=3\")",
                       IndexError);
  CHECK_THROWS_AS(x[-3], IndexError);
  CHECK_THROWS_AS(zeros<Float32<"a">>(0)[0], IndexError);
  CHECK_THROWS_AS(take<"b">(x, std::uint64_t{1} << 63), IndexError);
}

TEST_CASE_TEMPLATE("a tensor is a range of its rows", D, Cpu, Reference) {
  auto const x = counted<Float32<"a b=3", D>>(4);
  int rows = 0;
  Float32<"b=3", D> total;
  for (auto const& row : x) {
    CHECK(elements(row) == elements(x[rows++]));
    total += row;
  }
  CHECK(rows == 4);
  CHECK(elements(total) == elements(eval(sum<"a">(x))));
  for (auto const& row : zeros<Float32<"a b=3", D>>(0)) FAIL_CHECK(elements(row).size());
}

TEST_CASE_TEMPLATE("an expression is a range of its rows, and evaluated once", D, Cpu, Reference) {
  auto const x = counted<Float32<"a b=3", D>>(4);
  int rows = 0;
  for (auto const row : 2 * x) CHECK(elements(row) == elements(eval(2 * x[rows++])));
  CHECK(rows == 4);
  for (auto const row : matmul(x, transpose(x))) CHECK(elements(row).size() == 4);
  for (auto const& row : 2 * zeros<Float32<"a b=3", D>>(0)) FAIL_CHECK(elements(row).size());
}

TEST_CASE_TEMPLATE("a vector is a range of numbers", D, Cpu, Reference) {
  Float32<"n", D> const v{1, 2, 6};
  float total = 0;
  for (float const value : v) total += value;
  for (auto const value : 2 * v) total += value;
  CHECK(total == 27);
}

TEST_CASE("a loop over rows has a gradient") {
  auto const derivative = grad([](auto const& m) {
    Float64<""> total;
    for (auto const row : m* m) total += row[0];
    return total;
  })(counted<Float64<"a=3 b=2">>());
  CHECK(elements(derivative) == elements(Float64<"a=3 b=2">{{0, 0}, {4, 0}, {8, 0}}));
}

TEST_CASE_TEMPLATE("gradients are added at the index that was read", D, Cpu, Reference) {
  auto const x = counted<Float64<"a=3 b=2", D>>();
  auto const derivative = grad([](auto const& m) { return sum(m[1] * m[1] + m[-1]); })(x);
  CHECK(elements(derivative) == elements(Float64<"a=3 b=2", D>{{0, 0}, {4, 6}, {1, 1}}));
}

constexpr Float32<"2 3"> small{{1, 2, 3}, {4, 5, 6}};
static_assert(small[1][-1].item() == 6);
static_assert(Float32<"3">(small[0])(1) == 2);

template <class X>
concept HasPlaces = requires(X x) { x[0]; };
static_assert(HasPlaces<Float32<"a">> && !HasPlaces<Float32<"">>);
template <class X>
concept HasBegin = requires(X const& x) { begin(x), end(x); };
static_assert(HasBegin<Float32<"a b">> && HasBegin<decltype(2 * Float32<"a">())>);
static_assert(!HasBegin<Float32<"">> && !HasBegin<decltype(2 * Float32<"">())>);

}  // namespace

}  // namespace row_test
