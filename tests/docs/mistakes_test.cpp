// What docs/mistakes.md says to write instead, and what the mistakes that compile do.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>

namespace docs_mistakes {
namespace {

using namespace tenon;

using Vector = Float32<"n">;

Vector const x{1, 2, 3};
Vector const y{4, 5, 6};

/// What is added to each element is chosen at run time.
Vector shifted(Vector const& v, bool doubled) {
  if (doubled) return 2 * v;
  return v + 1;
}

namespace fitting {
double init(Vector const& v) { return sum(square(to<double>(v))); }
double twice(Vector const& v) { return 2 * init(v); }
}  // namespace fitting

TEST_CASE("a function in a namespace of its own may have the name of one of Tenon's") {
  CHECK(fitting::twice(x) == 28);
}

TEST_CASE("all pairs of an axis at another place") {
  auto const table = ones<Float32<"key=3 word=4">>();
  auto const scores = ones<Float32<"batch key=3">>(2);
  auto const sums = eval(unsqueeze<-1>(scores) + table);
  static_assert(shape_of<decltype(sums)> == "batch key=3 word=4");
  CHECK(sums(1, 2, 3) == 2);
}

TEST_CASE("instead of assigning to an expression") {
  auto h = eval(relu(x));
  h = h + 1;
  CHECK(h(2) == 4);
}

struct Line {
  Vector weight;
};

TEST_CASE("instead of arithmetic on a model") {
  Line const model{x}, gradient{y};
  auto const step = [](auto const& leaf, auto const& slope) { return eval(leaf - 0.1f * slope); };
  Line const moved = tree::map(step, model, gradient);
  CHECK(moved.weight(0) == 1 - 0.1f * 4);
}

TEST_CASE("instead of a conditional operator over two expressions") {
  CHECK(shifted(x, true)(2) == 6);
  bool const doubled = false;
  Vector const z = doubled ? eval(2 * x) : eval(x + 1);
  CHECK(z(2) == 4);
}

TEST_CASE("instead of a scalar tensor as a number of another type, and of a mask as a condition") {
  double const total = sum(x).item();
  CHECK(total == 6);
  bool const equal = all(x == y).item();
  bool const near = allclose(x, y);
  CHECK_FALSE(equal);
  CHECK_FALSE(near);
}

TEST_CASE("instead of sizes in a constructor") {
  auto const zero = zeros<Float32<"row column">>(2, 3);
  auto const sevens = full<Float32<"row column">>(7, 2, 3);
  CHECK(zero.size() == 6);
  CHECK(sevens(1, 2) == 7);
}

TEST_CASE("differences of all pairs have an axis of size 1") {
  Float32<"i d=2"> const a{{1, 2}, {3, 4}};
  Float32<"j d=2"> const b{{1, 1}, {2, 2}, {3, 3}};
  auto const pairs = eval(rearrange<"i d -> i 1 d">(a) - b);
  static_assert(shape_of<decltype(pairs)> == "i j d=2");
  CHECK(pairs(1, 2, 1) == 1);
}

TEST_CASE("dtypes are cast") {
  Float64<"n"> const wide{1, 2, 3};
  Int32<"n"> const counts{1, 2, 3};
  auto const sum_of_both = eval(to<double>(x) + wide);
  auto const halves = eval(to<float>(counts) * 0.5);
  CHECK(sum_of_both(2) == 6);
  CHECK(halves(0) == 0.5f);
  auto const rounded_down = eval(floor_divide(counts, 2));
  auto const quotients = eval(to<float>(counts) / 2);
  CHECK(rounded_down(2) == 1);
  CHECK(quotients(2) == 1.5f);
}

TEST_CASE("without names a reduced axis is aligned from the right") {
  Float32<"2 2"> const m{{1, 3}, {10, 30}};
  auto const wrong = eval(m - mean<-1>(m));        // the means of rows, taken from columns
  auto const right = eval(m - mean<-1>(m, keep));  // each row less its own mean
  CHECK(wrong(1, 0) == 10 - 2);
  CHECK(right(1, 0) == 10 - 20);

  Float32<"row=2 column=2"> const named = m;
  auto const by_name = eval(named - mean<"column">(named));  // found by its name, without keep
  CHECK(by_name(1, 0) == 10 - 20);
}

TEST_CASE("an axis of run-time size 1 does not broadcast, one of static size 1 does") {
  auto const table = ones<Float32<"row column">>(3, 4);
  auto const row = ones<Float32<"row column">>(1, 4);
  CHECK_THROWS_WITH_AS(eval(table + row),
                       "tenon::add: 'row': expected 3, got 1 (run-time sizes of \"row column\")",
                       ShapeError);
  auto const sum_of_both = eval(table + as<"1 column">(row));
  CHECK(sum_of_both(2, 3) == 2);
}

TEST_CASE("two annotations are independent, fits binds them together") {
  auto const checked_dot = [](Float<"n"> auto const& a, Float<"n"> auto const& b) {
    check<"n, n">(a, b);
    return dot(a, b);
  };
  CHECK(checked_dot(x, y).item() == 32);
  CHECK_THROWS_AS(checked_dot(x, ones<Vector>(2)), ShapeError);
}

TEST_CASE("the gradient is that of the parameter, not of what is captured") {
  auto const lost = grad([&](Vector const&) { return sum(square(x)); })(x);
  auto const right = grad([&](Vector const& v) { return sum(square(v)); })(x);
  CHECK(lost(2) == 0);
  CHECK(right(2) == 6);
}

TEST_CASE("a number that is read has no gradient, a tensor of one element has") {
  CHECK_THROWS_AS(grad([](Vector const& v) { return v(0) * sum(v); })(x), Error);
  auto const gradient = grad([](Vector const& v) { return v[0] * sum(v); })(x);
  CHECK(gradient(0) == 6 + 1);
  CHECK(gradient(1) == 1);
}

TEST_CASE("the argument is taken out of the domain before, not after") {
  Vector const v{0, 1, 4};
  auto const wrong = grad([](Vector const& a) { return sum(where(a > 0, sqrt(a), 0)); })(v);
  auto const right =
      grad([](Vector const& a) { return sum(where(a > 0, sqrt(where(a > 0, a, 1)), 0)); })(v);
  CHECK(std::isnan(wrong(0)));
  CHECK(right(0) == 0);
  CHECK(right(2) == 0.25f);
}

TEST_CASE("one key for two draws gives the same numbers twice") {
  Key const key{42};
  auto const weights = normal<Vector>(key, 3), noise = normal<Vector>(key, 3);
  CHECK(all(weights == noise).item());
  auto const [for_weights, for_noise] = split(key);
  auto const other_weights = normal<Vector>(for_weights, 3);
  auto const other_noise = normal<Vector>(for_noise, 3);
  CHECK_FALSE(any(other_weights == other_noise).item());
}

TEST_CASE("a name that several statements use is a tensor") {
  auto const lazy = exp(x);         // computed by each statement that uses it
  auto const value = eval(exp(x));  // computed here, once
  Vector const a = value + 1, b = value * 2;
  CHECK(a(0) == lazy(0) + 1);
  CHECK(b(0) == 2 * value(0));
}

TEST_CASE("elements of integers are summed in int64, masks are cast first") {
  Int32<"n"> const counts{1, 2, 3};
  static_assert(std::is_same_v<decltype(sum(counts).item()), std::int64_t>);
  auto const positive = sum(to<std::int32_t>(x > 1)).item();
  CHECK(positive == 2);
}

}  // namespace
}  // namespace docs_mistakes
