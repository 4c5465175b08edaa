// Reductions of rows, several rows at a time: every row has the bits that it has alone.

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace row_groups_test {

using namespace tenon;

namespace {

template <class T>
bool same_bits(T a, T b) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  else return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

template <class T>
Tensor<T, "row n"> numbers(std::int64_t rows, std::int64_t n) {
  auto x = zeros<Tensor<T, "row n">>(rows, n);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<T>((i * 7919 + 13) % 1009 - 500) / T(7);
  return x;
}

/// Whether `f` of all rows has the bits of `f` of each row alone.
template <class T, class F>
bool is_row_by_row(Tensor<T, "row n"> const& x, F const& f) {
  Tensor<T, "row"> const all = f(x);
  bool is_same = true;
  for (std::int64_t i = 0; i < x.sizes()[0]; ++i) {
    Tensor<T, "row=1 n"> const one = as<"row=1 n">(slice<"row", 1>(x, i));
    is_same = is_same && same_bits(all(i), eval(f(one))(0));
  }
  return is_same;
}

template <class X>
auto normalised(X const& x) {
  using T = typename X::value_type;
  auto const centred = x - mean<"n">(x);
  return centred * rsqrt(mean<"n">(square(centred)) + T(1e-5));
}

/// Whether normalised rows have the bits of each row alone, and are near those by the definition.
template <class T>
void expect_normalised(Tensor<T, "row n"> const& x) {
  CAPTURE(x.sizes()[0]);
  CAPTURE(x.sizes()[1]);
  Tensor<T, "row n"> const all = normalised(x);
  std::int64_t const n = x.sizes()[1];
  bool is_same = true, is_near = true;
  for (std::int64_t i = 0; i < x.sizes()[0]; ++i) {
    Tensor<T, "row=1 n"> const row = as<"row=1 n">(slice<"row", 1>(x, i));
    Tensor<T, "row=1 n"> const one = normalised(row);
    double mean = 0, variance = 0;
    for (std::int64_t j = 0; j < n; ++j) mean += x(i, j) / static_cast<double>(n);
    for (std::int64_t j = 0; j < n; ++j)
      variance += (x(i, j) - mean) * (x(i, j) - mean) / static_cast<double>(n);
    for (std::int64_t j = 0; j < n; ++j) {
      double const expected = (x(i, j) - mean) / std::sqrt(variance + 1e-5);
      is_same = is_same && same_bits(all(i, j), one(0, j));
      is_near = is_near && (std::isfinite(mean) ? std::fabs(all(i, j) - expected) < 1e-4
                                                : std::isnan(all(i, j)));
    }
  }
  CHECK(is_same);
  CHECK(is_near);
}

template <class T>
void expect_rows(Tensor<T, "row n"> const& x) {
  CAPTURE(x.sizes()[0]);
  CAPTURE(x.sizes()[1]);
  CHECK(is_row_by_row(x, [](auto const& y) { return sum<"n">(y); }));
  CHECK(is_row_by_row(x, [](auto const& y) { return max<"n">(y); }));
  CHECK(is_row_by_row(x, [](auto const& y) { return min<"n">(y * T(2)) - T(1); }));
  CHECK(is_row_by_row(x, [](auto const& y) { return sqrt(mean<"n">(square(y)) + T(1)); }));
}

/// The sums in `long double`.
template <class T>
void expect_sums(Tensor<T, "row n"> const& x) {
  Tensor<T, "row"> const sums = sum<"n">(x);
  std::int64_t const n = x.sizes()[1];
  bool is_near = true;
  for (std::int64_t i = 0; i < x.sizes()[0]; ++i) {
    long double sum = 0, size = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += x(i, j), size += std::fabs(x(i, j));
    is_near = is_near && std::fabs(sums(i) - sum) <= 8 * std::numeric_limits<T>::epsilon() * size;
  }
  CHECK(is_near);
}

}  // namespace

TEST_CASE_TEMPLATE("rows of every length, in groups of every size", T, float, double) {
  for (std::int64_t n : {1, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 128, 129, 300}) {
    for (std::int64_t rows : {1, 2, 15, 16, 17, 40}) {
      expect_rows(numbers<T>(rows, n));
      expect_sums(numbers<T>(rows, n));
    }
  }
  expect_rows(numbers<T>(19, 9000));  // several blocks
  expect_rows(numbers<T>(3000, 17));
  expect_rows(numbers<T>(0, 17));
  expect_sums(numbers<T>(40, 0));
}

TEST_CASE_TEMPLATE("rows that are normalised have the bits that they have alone", T, float,
                   double) {
  for (std::int64_t n : {1, 7, 8, 16, 17, 33, 100, 511, 512, 513, 700})
    for (std::int64_t rows : {1, 2, 15, 16, 17, 40}) expect_normalised(numbers<T>(rows, n));
  expect_normalised(numbers<T>(3000, 17));
  expect_normalised(numbers<T>(0, 17));
  auto x = numbers<T>(35, 17);
  x(3, 16) = std::numeric_limits<T>::quiet_NaN();
  x(18, 8) = std::numeric_limits<T>::infinity();
  expect_normalised(x);
}

TEST_CASE("a large normalised result") {
  auto const x = numbers<float>(150001, 32);
  Float32<"row n"> const y = normalised(x), z = normalised(eval(slice<"row", 149000, 150001>(x)));
  CHECK(std::equal(z.data(), z.data() + z.size(), y.data() + 149000 * 32, same_bits<float>));
}

TEST_CASE("rows of two axes that are one run, or several") {
  auto cube = zeros<Float32<"a=37 b=6 c=5">>();
  for (std::int64_t i = 0; i < cube.size(); ++i) cube.mutable_data()[i] = float(i * 37 % 101);
  auto const centred = [](auto const& x) { return x - mean<"b c">(x); };
  Float32<"a=37 b=4 c=5"> const inside = slice<"b", 1, 5>(cube);
  Float32<"a=37 b=6 c=3"> const narrow = slice<"c", 1, 4>(cube);
  Float32<"a=37 b=4 c=5"> const p = centred(slice<"b", 1, 5>(cube)), q = centred(inside);
  Float32<"a=37 b=6 c=3"> const r = centred(slice<"c", 1, 4>(cube)), s = centred(narrow);
  CHECK(std::equal(p.data(), p.data() + p.size(), q.data(), same_bits<float>));
  for (std::int64_t i = 0; i < r.size(); ++i) CHECK(std::fabs(r.data()[i] - s.data()[i]) < 1e-4f);
}

TEST_CASE("normalised rows with gaps in the result") {
  auto const x = numbers<float>(37, 9);
  auto const f = [](auto const& y) { return y - mean<"n">(y); };
  Float32<"row n"> const part = f(x), joined = concat<"n">(f(x), f(x * 2.0f));
  Float32<"row n=9 two=2"> const stacked =
      concat<"two">(unsqueeze<"two", -1>(f(x)), unsqueeze<"two", -1>(f(x)));
  for (std::int64_t i = 0; i < 37; ++i)
    for (std::int64_t j = 0; j < 9; ++j) {
      CHECK(same_bits(joined(i, j), part(i, j)));
      CHECK(same_bits(stacked(i, j, 1), part(i, j)));
    }
}

TEST_CASE_TEMPLATE("NaN and infinities stay in their rows", T, float, double) {
  T const infinity = std::numeric_limits<T>::infinity();
  T const nan = std::numeric_limits<T>::quiet_NaN();
  for (std::int64_t n : {5, 17, 100}) {
    auto x = numbers<T>(35, n);
    x(3, n - 1) = nan;
    x(4, 0) = -nan;
    x(18, n / 2) = infinity;
    x(19, 1) = -infinity;
    x(20, 0) = infinity, x(20, n - 1) = -infinity;
    expect_rows(x);
    Tensor<T, "row"> const largest = max<"n">(x), sums = sum<"n">(x);
    for (std::int64_t i = 0; i < 35; ++i) {
      CHECK(std::isnan(largest(i)) == (i == 3 || i == 4));
      CHECK(std::isnan(sums(i)) == (i == 3 || i == 4 || i == 20));
    }
    CHECK(sums(18) == infinity);
  }
}

TEST_CASE("rows with gaps, transposed rows, outer axes") {
  auto const wide = numbers<float>(50, 40);
  auto const part = slice<"n", 3, 20>(wide);
  Float32<"row"> const a = sum<"n">(part), b = sum<"n">(eval(part));
  for (std::int64_t i = 0; i < 50; ++i) CHECK(same_bits(a(i), b(i)));
  Float32<"n"> const c = sum<"row">(transpose(wide)), d = sum<"row">(eval(transpose(wide)));
  for (std::int64_t i = 0; i < 40; ++i) CHECK(same_bits(c(i), d(i)));
  auto cube = zeros<Float32<"a=7 b=25 n=19">>();
  for (std::int64_t i = 0; i < cube.size(); ++i) cube.mutable_data()[i] = float(i * 37 % 101);
  Float32<"a=7 b=23 n=19"> const inside = slice<"b", 1, 24>(cube);
  Float32<"a=7 b=23"> const sums = sum<"n">(slice<"b", 1, 24>(cube)), whole = sum<"n">(inside);
  for (std::int64_t i = 0; i < sums.size(); ++i) CHECK(same_bits(sums.data()[i], whole.data()[i]));
}

TEST_CASE("a result of another dtype, with gaps, and of chosen rows") {
  auto const x = numbers<float>(37, 17);
  Bool<"row"> auto const is_positive = eval(sum<"n">(x) > 0.0f);
  Float64<"row"> const wide = to<double>(sum<"n">(x));
  Float32<"row"> const sums = sum<"n">(x);
  Float32<"row n=2"> const both = concat<"n">(sum<"n">(x, keep), max<"n">(x, keep));
  auto ids = zeros<Int32<"k=20">>();
  for (std::int64_t i = 0; i < 20; ++i) ids(i) = static_cast<std::int32_t>(i * 5 % 37);
  Float32<"k=20"> const chosen = sum<"n">(take<"row">(x, ids));
  for (std::int64_t i = 0; i < 37; ++i) {
    CHECK(is_positive(i) == (sums(i) > 0));
    CHECK(wide(i) == static_cast<double>(sums(i)));
    CHECK(same_bits(both(i, 0), sums(i)));
  }
  for (std::int64_t i = 0; i < 20; ++i) CHECK(same_bits(chosen(i), sums(ids(i))));
}

TEST_CASE("the bits are those of every number of threads") {
  auto const x = numbers<float>(50001, 17);
  int const before = threads();
  set_threads(1);
  Float32<"row"> const one = sum<"n">(x);
  for (int number : {2, 3, 7}) {
    set_threads(number);
    Float32<"row"> const other = sum<"n">(x);
    bool is_same = true;
    for (std::int64_t i = 0; i < 50001; ++i) is_same = is_same && same_bits(one(i), other(i));
    CHECK(is_same);
  }
  set_threads(before);
}

}  // namespace row_groups_test
