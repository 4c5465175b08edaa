// Short rows with operands that broadcast along all of them: a kernel walks along several rows as
// one. Every element is compared with the value computed from its own operands.

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace joined_rows_test {

using namespace tenon;

namespace {

template <class R>
R numbers(std::int64_t seed, auto... sizes) {
  using T = typename R::value_type;
  R x = zeros<R>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<T>((i * 7919 + seed * 31) % 101 - 50);
  return x;
}

/// Whether `sum(i, j)` is the element of every row i and column j.
template <class X, class F>
bool is_everywhere(X const& x, F const& sum) {
  std::int64_t const width = x.sizes()[1], size = x.size();
  auto const* const elements = x.data();
  for (std::int64_t i = 0; i < size; ++i)
    if (elements[i] != sum(i / width, i % width)) return false;
  return true;
}

template <class T, class D>
void expect_sums(std::int64_t rows, std::int64_t width) {
  CAPTURE(rows);
  CAPTURE(width);
  auto const x = numbers<Tensor<T, "row n", D>>(1, rows, width);
  auto const b = numbers<Tensor<T, "n", D>>(2, width);
  Tensor<T, "row n", D> const y = x + b, z = b - x;
  T const *const of_x = x.data(), *const of_b = b.data();  // without checks, as there are many
  CHECK(is_everywhere(y, [&](auto i, auto j) { return of_x[i * width + j] + of_b[j]; }));
  CHECK(is_everywhere(z, [&](auto i, auto j) { return of_b[j] - of_x[i * width + j]; }));
}

}  // namespace

TEST_CASE_TEMPLATE("a row is added to rows of every width", D, Cpu, Reference) {
  for (std::int64_t width = 1; width < 140; width += width < 40 ? 1 : 9)
    for (std::int64_t rows : {4096 / width, 4096 / width + 1, 9000 / width, std::int64_t{700}})
      expect_sums<float, D>(rows, width);
  for (std::int64_t width : {3, 17, 127, 128}) {
    expect_sums<double, D>(3001, width);
    expect_sums<std::int32_t, D>(3001, width);
  }
}

TEST_CASE("every number of left rows") {
  for (std::int64_t rows = 1000; rows < 1200; ++rows) expect_sums<float, Cpu>(rows, 7);
}

TEST_CASE("empty axes and axes of size 1") {
  expect_sums<float, Cpu>(0, 7);
  expect_sums<float, Cpu>(5000, 0);
  expect_sums<float, Cpu>(1, 100);
  expect_sums<float, Cpu>(5000, 1);
  auto const x = numbers<Float32<"row=5000 1">>(1);
  auto const b = numbers<Float32<"n=7">>(2);
  Float32<"row=5000 n=7"> const y = x + b;
  CHECK(is_everywhere(y, [&](auto i, auto j) { return x(i, 0) + b(j); }));
}

TEST_CASE("operands of several dtypes and a scalar") {
  auto const x = numbers<Float32<"row n=9">>(1, 1001);
  auto const b = numbers<Float32<"n=9">>(2);
  auto const mask = eval(b > 0.0f);
  auto const shift = numbers<Int8<"n=9">>(3);
  Float32<""> const scale(2.0f);
  Float32<"row n=9"> const y = where(mask, x * b, x) + to<float>(shift) * scale;
  CHECK(is_everywhere(y, [&](auto i, auto j) {
    return (b(j) > 0 ? x(i, j) * b(j) : x(i, j)) + static_cast<float>(shift(j)) * 2.0f;
  }));
}

TEST_CASE("outer axes, and inner axes that are one run") {
  auto const x = numbers<Float32<"a=30 b=20 c=3 d=5">>(1);
  auto const b = numbers<Float32<"c=3 d=5">>(2);
  auto const last = numbers<Float32<"d=5">>(3);
  auto const outer = numbers<Float32<"a=30 1 1 1">>(4);
  auto const middle = numbers<Float32<"b=20 1 d=5">>(5);
  Float32<"a=30 b=20 c=3 d=5"> const y = x + b, z = x + last, u = x + outer + b, v = x + middle;
  bool is_right = true;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    float const from = x.data()[i];
    is_right = is_right && y.data()[i] == from + b.data()[i % 15] &&
               z.data()[i] == from + last.data()[i % 5] &&
               u.data()[i] == from + outer.data()[i / 300] + b.data()[i % 15] &&
               v.data()[i] == from + middle.data()[i / 15 % 20 * 5 + i % 5];
  }
  CHECK(is_right);
}

TEST_CASE("views: a strided row, a row of a matrix, strided rows, a transpose") {
  auto const x = numbers<Float32<"row=900 n=7">>(1);
  auto const wide = numbers<Float32<"row=900 n=9">>(2);
  auto const matrix = numbers<Float32<"n=7 m=5">>(3);
  auto const column = squeeze<"m">(slice<"m", 2, 3>(matrix));
  auto const part = squeeze<"row">(slice<"row", 4, 5>(x));
  Float32<"row=900 n=7"> const a = x + column, b = x + part, c = slice<"n", 1, 8>(wide) + column;
  Float32<"n=7 row=900"> const d = transpose(x) + column;
  CHECK(is_everywhere(a, [&](auto i, auto j) { return x(i, j) + matrix(j, 2); }));
  CHECK(is_everywhere(b, [&](auto i, auto j) { return x(i, j) + x(4, j); }));
  CHECK(is_everywhere(c, [&](auto i, auto j) { return wide(i, j + 1) + matrix(j, 2); }));
  CHECK(is_everywhere(d, [&](auto i, auto j) { return x(j, i) + matrix(i, 2); }));
}

TEST_CASE("rows that ids choose beside a row") {
  auto const table = numbers<Float32<"word=20 n=7">>(1);
  auto const b = numbers<Float32<"n=7">>(2);
  auto ids = zeros<Int32<"row=900">>();
  for (std::int64_t i = 0; i < 900; ++i) ids(i) = static_cast<std::int32_t>(i * 7 % 20);
  Float32<"row=900 n=7"> const y = take<"word">(table, ids) + b;
  CHECK(is_everywhere(y, [&](auto i, auto j) { return table(ids(i), j) + b(j); }));
}

TEST_CASE("NaN and infinities stay in their columns") {
  auto const x = numbers<Float32<"row=900 n=7">>(1);
  auto b = numbers<Float32<"n=7">>(2);
  b(1) = std::numeric_limits<float>::infinity();
  b(5) = std::numeric_limits<float>::quiet_NaN();
  Float32<"row=900 n=7"> const y = x + b;
  bool is_right = true;
  for (std::int64_t i = 0; i < y.size(); ++i) {
    if (i % 7 == 5) is_right = is_right && std::isnan(y.data()[i]);
    else is_right = is_right && y.data()[i] == x.data()[i] + b(i % 7);
  }
  CHECK(is_right);
}

TEST_CASE("the bits are those of every number of threads") {
  auto const x = numbers<Float32<"row=30001 n=17">>(1);
  auto const b = numbers<Float32<"n=17">>(2);
  auto const compute = [&] { return Float32<"row=30001 n=17">(exp(x * 0.01f) * tanh(b) + b); };
  int const before = threads();
  set_threads(1);
  auto const one = compute();
  for (int number : {2, 3, 7}) {
    set_threads(number);
    auto const other = compute();
    CHECK(std::equal(one.data(), one.data() + one.size(), other.data(), [](float p, float q) {
      return std::bit_cast<std::uint32_t>(p) == std::bit_cast<std::uint32_t>(q);
    }));
  }
  set_threads(before);
}

}  // namespace joined_rows_test
