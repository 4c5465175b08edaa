// Reductions of few elements each, which a kernel computes lane by lane.
// sanitize: thread

#include <doctest/doctest.h>
#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace short_reductions_test {

using namespace tenon;
using internal::kernels_run;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class X>
X ordinary(std::int64_t n) {
  X x = zeros<X>(n);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] =
        static_cast<typename X::value_type>(static_cast<double>((i * 7919 + 13) % 31) / 8 - 1.5);
  return x;
}

/// Ties, zeros of both signs, infinities and NaN in every position.
template <class X>
X special(std::int64_t n) {
  constexpr double values[]{0, 1, -0.0, nan, 1, infinity, 2, -infinity, 1, 0, -0.0, 2, 2};
  X x = zeros<X>(n);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<typename X::value_type>(values[i * 5 % 13]);
  return x;
}

template <class X>
bool same_bits(X const& a, X const& b) {
  bool same = a.size() == b.size();
  for (std::int64_t i = 0; same && i < a.size(); ++i) {
    using Bits = std::conditional_t<sizeof(a.data()[i]) == 8, std::uint64_t, std::uint32_t>;
    same = std::bit_cast<Bits>(a.data()[i]) == std::bit_cast<Bits>(b.data()[i]);
  }
  return same;
}

/// A kernel that repeats reductions along the reduced axis computes them row by row.
template <class F, class X>
void expect_the_bits_of_rows(F const& reduced, X const& x) {
  auto const never = eval(x < x);
  X const repeated = where(never, x, eval(reduced(x, keep)));
  X const rows = where(never, x, reduced(x, keep));
  CAPTURE(x.size());
  CHECK(same_bits(repeated, rows));
}

template <class F>
double difference_quotient(F const& f, auto const& x, std::int64_t i) {
  auto more = x, less = x;
  more.mutable_data()[i] += 1e-5;
  less.mutable_data()[i] -= 1e-5;
  return (eval(f(more)).item() - eval(f(less)).item()) / 2e-5;
}
template <class F, class X>
void expect_gradient(F const& f, X const& x) {
  X const g = grad(f)(x);
  for (std::int64_t i = 0; i < x.size(); ++i)
    CHECK(g.data()[i] == doctest::Approx(difference_quotient(f, x, i)).epsilon(1e-5));
}

struct Naive {
  double sum = 0, prod = 1, max = -infinity, min = infinity;
  bool any = false, all = true;

  template <class X>
  Naive(X const& x, std::int64_t row) {
    std::int64_t const size = x.sizes()[1];
    for (std::int64_t i = row * size; i < (row + 1) * size; ++i) {
      double const value = static_cast<double>(x.data()[i]);
      sum += value;
      prod *= value;
      max = value > max || std::isnan(value) ? value : max;
      min = value < min || std::isnan(value) ? value : min;
      any = any || value > 0;
      all = all && value > 0;
    }
  }
};

template <class X>
void expect_values(X const& x) {
  using Values = Float32<"n">;
  Values const sums = sum<"axis">(x), means = mean<"axis">(x) + 1.0f, prods = prod<"axis">(x),
               highest = max<"axis">(x), lowest = min<"axis">(x);
  Mask<"n"> const any_positive = any<"axis">(x > 0.0f), all_positive = all<"axis">(x > 0.0f);
  for (std::int64_t i = 0; i < sums.size(); ++i) {
    Naive const expected(x, i);
    double const size = static_cast<double>(x.sizes()[1]);
    CHECK(static_cast<double>(sums(i)) == doctest::Approx(expected.sum));
    CHECK(static_cast<double>(means(i)) == doctest::Approx(expected.sum / size + 1));
    CHECK(static_cast<double>(prods(i)) == doctest::Approx(expected.prod));
    CHECK(static_cast<double>(highest(i)) == expected.max);
    CHECK(static_cast<double>(lowest(i)) == expected.min);
    CHECK(any_positive(i) == expected.any);
    CHECK(all_positive(i) == expected.all);
  }
}

constexpr auto sum_of = [](auto const& x, auto... keeps) { return sum<"axis">(x, keeps...); };
constexpr auto max_of = [](auto const& x, auto... keeps) { return max<"axis">(x, keeps...); };
constexpr auto min_of = [](auto const& x, auto... keeps) { return min<"axis">(x, keeps...); };
constexpr auto prod_of = [](auto const& x, auto... keeps) { return prod<"axis">(x, keeps...); };
constexpr auto sum_of_squares = [](auto const& x, auto... keeps) {
  return sum<"axis">(x * x, keeps...);
};

template <class X>
void expect_all() {
  for (std::int64_t n = 1; n <= 9; ++n) expect_values(ordinary<X>(n));
  for (std::int64_t const n : {1, 7, 40}) {
    expect_the_bits_of_rows(sum_of, eval(ordinary<X>(n) * 0.1f));
    expect_the_bits_of_rows(sum_of_squares, eval(ordinary<X>(n) * 0.1f));
    for (X const& x : {ordinary<X>(n), special<X>(n)}) {
      expect_the_bits_of_rows(max_of, x);
      expect_the_bits_of_rows(min_of, x);
      expect_the_bits_of_rows(prod_of, x);
    }
  }
}

template <class X>
void expect_gradients() {
  for (std::int64_t const n : {1, 5, 9}) {
    X const x = ordinary<X>(n) + 0.03;
    Float64<"n"> w = zeros<Float64<"n">>(n);
    for (std::int64_t i = 0; i < n; ++i) w(i) = 0.5 + static_cast<double>(i % 4);
    expect_gradient([&](auto const& q) { return sum(w * sum<"axis">(q * q * q)); }, x);
    expect_gradient([&](auto const& q) { return sum(w * prod<"axis">(q)); }, x);
    expect_gradient([&](auto const& q) { return sum(w * sqrt(mean<"axis">(exp(q)))); }, x);
  }
}

using Points = Float64<"n axis=3">;
using Others = Float64<"m axis=3">;

auto distances(auto const& a, auto const& b) {
  return sum<"axis">(
      square(rearrange<"n axis -> n 1 axis">(a) - rearrange<"m axis -> 1 m axis">(b)));
}

}  // namespace

TEST_CASE("short reductions have the values of a loop, and the bits of the reductions of rows") {
  expect_all<Float32<"n axis=1">>();
  expect_all<Float32<"n axis=2">>();
  expect_all<Float32<"n axis=3">>();
  expect_all<Float32<"n axis=4">>();
  expect_all<Float32<"n axis=7">>();
  expect_all<Float32<"n axis=8">>();
}

TEST_CASE("gradients of short reductions are those of finite differences") {
  expect_gradients<Float64<"n axis=3">>();
  expect_gradients<Float64<"n axis=8">>();
}

TEST_CASE("equal short maxima share the gradient; a NaN maximum makes it NaN") {
  Points const x{{2, 2, 2}, {1, 2, 2}, {nan, 1, 2}, {-infinity, infinity, 0}};
  Points const g = grad([](Points const& q) { return sum(max<"axis">(q)); })(x);
  Points const expected{{1 / 3.0, 1 / 3.0, 1 / 3.0}, {0, 0.5, 0.5}, {nan, nan, nan}, {0, 1, 0}};
  for (std::int64_t i = 0; i < g.size(); ++i) {
    CAPTURE(i);
    CHECK((g.data()[i] == doctest::Approx(expected.data()[i]) ||
           (std::isnan(g.data()[i]) && std::isnan(expected.data()[i]))));
  }
}

TEST_CASE("a short product passes the gradient around zeros") {
  Points const x{{2, 0, 3}, {0, 0, 3}, {2, 5, 3}};
  Points const g = grad([](Points const& q) { return sum(prod<"axis">(q)); })(x);
  CHECK(all(g == Points{{0, 6, 0}, {0, 0, 0}, {15, 6, 10}}).item());
}

TEST_CASE("distances are one kernel over packed points, with the gradients of both") {
  for (std::int64_t const m : {1, 3, 20}) {
    Points const a = ordinary<Points>(4);
    Others const b = ordinary<Others>(m) * 0.7;
    std::int64_t const before = kernels_run;
    Float64<"n m"> const y = distances(a, b) + 1.0;
    CHECK(kernels_run - before == 2);
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < m; ++j) {
        double expected = 1;
        for (std::int64_t k = 0; k < 3; ++k) expected += std::pow(a(i, k) - b(j, k), 2);
        CHECK(y(i, j) == doctest::Approx(expected));
      }
    expect_gradient([&](auto const& q) { return sum(log(distances(q, b) + 1.0)); }, a);
    expect_gradient([&](auto const& q) { return sum(log(distances(a, q) + 1.0)); }, b);
  }
}

TEST_CASE("a short reduction of gathered elements passes adjoints to the table") {
  Points const table = ordinary<Points>(6);
  Int32<"edge"> from = zeros<Int32<"edge">>(21), to = from;
  for (std::int32_t i = 0; i < 21; ++i) {
    from(i) = i * 5 % 6;
    to(i) = i * 7 % 5;
  }
  expect_gradient(
      [&](auto const& q) {
        return sum(sqrt(sum<"axis">(square(take<"n">(q, from) - take<"n">(q, to))) + 0.1));
      },
      table);
}

TEST_CASE("short reductions over two axes, of transposed axes, and that keep their axes") {
  using X = Float64<"n a=2 b=3">;
  X const x = ordinary<X>(5);
  Float64<"n"> const both = sum<"a b">(x), turned = sum<"b a">(rearrange<"n a b -> n b a">(x));
  Float64<"n a=1 b=1"> const kept = max<"a b">(x, keep) + 1.0;
  for (std::int64_t i = 0; i < 5; ++i) {
    double total = 0, highest = -infinity;
    for (std::int64_t k = 0; k < 6; ++k) {
      total += x.data()[i * 6 + k];
      highest = (std::max)(highest, x.data()[i * 6 + k]);
    }
    CHECK(both(i) == doctest::Approx(total));
    CHECK(turned(i) == doctest::Approx(total));
    CHECK(kept(i, 0, 0) == highest + 1);
  }
  expect_gradient([](auto const& q) { return sum(log(sum<"a b">(exp(q)) + 1.0)); }, x);
  expect_gradient([](auto const& q) { return sum(square(sum<"a b">(q * q, keep) + 1.0)); }, x);
}

TEST_CASE("narrow short sums have the bits of rows") {
  using B = BFloat16<"n axis=8">;
  B const x = to<bfloat16>(ordinary<Float32<"n axis=8">>(21) * 0.1f);
  Float32<"n axis=1"> const lanes = to<float>(eval(sum<"axis">(x, keep)));
  Float32<"n axis=8"> const rows = to<float>(eval(where(x != x, x, sum<"axis">(x, keep))));
  for (std::int64_t i = 0; i < 21; ++i) CHECK(lanes(i, 0) == rows(i, 0));
  Int8<"n axis=4"> const small = full<Int8<"n axis=4">>(std::int8_t{100}, 19);
  CHECK(all(eval(sum<"axis">(small)) == std::int64_t{400}).item());
  Int32<"n axis=4"> const large = full<Int32<"n axis=4">>(2000000000, 19);
  CHECK(all(eval(sum<"axis">(large)) == std::int64_t{8000000000}).item());
}

TEST_CASE("derivatives of derivatives of short reductions") {
  auto const f = [](auto const& q) { return sum(square(sum<"axis">(q * q * q))); };
  Points const x = ordinary<Points>(5), v = ordinary<Points>(5) * 0.5 + 0.2;
  Points const got = hvp(f, x, v);
  Points const more = grad(f)(Points(x + v * 1e-5)), less = grad(f)(Points(x - v * 1e-5));
  for (std::int64_t i = 0; i < x.size(); ++i)
    CHECK(got.data()[i] == doctest::Approx((more.data()[i] - less.data()[i]) / 2e-5).epsilon(1e-5));
  CHECK(jvp(f, x, v).second.item() == doctest::Approx(sum(grad(f)(x) * v).item()));
}

TEST_CASE("short reductions without elements") {
  Float32<"n"> const none = sum<"axis">(zeros<Float32<"n axis=3">>(0));
  CHECK(none.size() == 0);
  Float32<"n"> const zero = sum<"axis">(zeros<Float32<"n axis=0">>(3)) + 1.0f;
  CHECK(all(zero == 1.0f).item());
  Points const g = grad([](Points const& q) { return sum(max<"axis">(q)); })(zeros<Points>(0));
  CHECK(g.size() == 0);
}

TEST_CASE("gradients of distances have the same bits for every number of threads") {
  int const before = threads();
  Float32<"n axis=3"> const a = ordinary<Float32<"n axis=3">>(300) * 0.1f;
  Float32<"m axis=3"> const b = ordinary<Float32<"m axis=3">>(500) * 0.3f;
  auto const f = [&](auto const& q) { return sum(rsqrt(distances(a, q) + 1.0f)); };
  set_threads(1);
  Float32<"m axis=3"> const one = grad(f)(b);
  set_threads(3);
  Float32<"m axis=3"> const three = grad(f)(b);
  set_threads(before);
  CHECK(same_bits(one, three));
}

TEST_CASE("a short reduction that a row repeats stays part of one kernel") {
  Float32<"n axis=4"> const x = ordinary<Float32<"n axis=4">>(9);
  auto const count = [](auto const& f) {
    std::int64_t const before = kernels_run;
    f();
    return kernels_run - before;
  };
  CHECK(count([&] { Float32<"n axis=4"> const y = softmax<"axis">(x); }) == 1);
  CHECK(count([&] { Float32<"n axis=4"> const y = x - mean<"axis">(x, keep); }) == 1);
  CHECK(count([&] { Float32<"n"> const y = logsumexp<"axis">(x); }) == 1);
  CHECK(count([&] { Float32<"n"> const y = sqrt(sum<"axis">(x * x)) + max<"axis">(x); }) == 1);
}

}  // namespace short_reductions_test
