#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <tenon/backend/cpu/matmul/product.hpp>
#include <tenon/tensor/complex.hpp>

namespace product_test {

using namespace tenon::internal;

using tenon::internal::StridedMatrix;

namespace {

enum class Order { rows, columns, neither };

/// A matrix of distinct values with gaps between its rows or columns.
template <class T>
struct Operand {
  Operand(std::int64_t rows, std::int64_t columns, Order order, std::mt19937& random) {
    std::int64_t const gap = 3, step = order == Order::neither ? 2 : 1;
    std::int64_t const inner = order == Order::columns ? rows : columns;
    std::int64_t const outer = order == Order::columns ? columns : rows;
    std::int64_t const stride = inner * step + gap;
    values.resize(static_cast<std::size_t>(outer * stride + 1));
    for (T& value : values) {
      value = static_cast<T>(static_cast<std::int8_t>(static_cast<int>(random() % 17) - 8));
    }
    if constexpr (!std::is_integral_v<T>) {
      for (T& value : values) value /= T(8);
    }
    matrix = order == Order::columns ? StridedMatrix<T>{values.data(), 1, stride}
                                     : StridedMatrix<T>{values.data(), stride, step};
  }
  StridedMatrix<T const> constant() const {
    return {matrix.data, matrix.row_stride, matrix.column_stride};
  }
  std::vector<T> values;
  StridedMatrix<T> matrix;
};

/// The error of `product` relative to a double loop, and whether it wrote outside of c.
template <class T>
void compare(std::int64_t m, std::int64_t n, std::int64_t k, Order a_order, Order b_order,
             bool accumulate) {
  std::mt19937 random(static_cast<unsigned>(m * 1009 + n * 101 + k));
  Operand<T> const a(m, k, a_order, random), b(k, n, b_order, random);
  Operand<T> c(m, n, Order::rows, random);
  Operand<T> const before = c;
  std::vector<T> expected = c.values;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      T& sum = expected[static_cast<std::size_t>(i * c.matrix.row_stride + j)];
      if (!accumulate) sum = T{};
      for (std::int64_t p = 0; p < k; ++p) sum += a.matrix(i, p) * b.matrix(p, j);
    }
  }
  tenon::internal::product(m, n, k, a.constant(), b.constant(), c.matrix, accumulate);
  double const unit = std::is_integral_v<T> ? 0 : std::is_same_v<T, double> ? 1e-14 : 1e-6;
  int wrong = 0;  // NaN counts as wrong
  for (std::size_t i = 0; i < expected.size(); ++i) {
    auto const error = static_cast<double>(std::abs(c.values[i] - expected[i]));
    if (!(error <= unit * static_cast<double>(k + 1))) ++wrong;
  }
  INFO(m, " x ", n, " x ", k, " orders ", int(a_order), int(b_order), " accumulate ", accumulate);
  CHECK(wrong == 0);
}

template <class T>
void compare_orders(std::int64_t m, std::int64_t n, std::int64_t k) {
  for (Order const a : {Order::rows, Order::columns, Order::neither}) {
    for (Order const b : {Order::rows, Order::columns, Order::neither}) {
      for (bool const accumulate : {false, true}) compare<T>(m, n, k, a, b, accumulate);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("matmuls agree with a double loop", T, float, double, std::complex<float>) {
  std::int64_t const sizes[] = {0, 1, 2, 3, 5, 8, 13, 17, 31};
  for (std::int64_t const m : sizes) {
    for (std::int64_t const n : sizes) {
      for (std::int64_t const k : sizes) compare_orders<T>(m, n, k);
    }
  }
}

TEST_CASE_TEMPLATE("matmuls larger than one panel agree with a double loop", T, float, double) {
  compare_orders<T>(37, 41, 601);
  compare_orders<T>(3, 797, 67);
  compare_orders<T>(523, 7, 29);
  compare_orders<T>(1, 331, 263);
  compare_orders<T>(331, 1, 263);
  compare_orders<T>(97, 89, 1);
}

TEST_CASE("integer matmuls are exact and wrap around") {
  for (std::int64_t const n : {1, 4, 7, 16}) compare_orders<std::int64_t>(n, 5, 9);
  std::int8_t const big[] = {100, 100};
  std::int8_t result = 0;
  tenon::internal::product<std::int8_t>(1, 1, 2, {big, 2, 1}, {big, 1, 1}, {&result, 1, 1});
  CHECK(result == static_cast<std::int8_t>(20000 % 256));
  std::int32_t const most = std::numeric_limits<std::int32_t>::max();
  std::int32_t wrapped = 1;
  tenon::internal::product<std::int32_t>(1, 1, 1, {&most, 1, 1}, {&most, 1, 1}, {&wrapped, 1, 1},
                                         true);
  CHECK(wrapped == 2);
}

TEST_CASE("a matmul over an empty axis is zero, and keeps accumulated values") {
  std::vector<float> c(6, 7.0f);
  StridedMatrix<float const> const none{c.data(), 0, 1};
  tenon::internal::product<float>(2, 3, 0, none, none, {c.data(), 3, 1}, true);
  CHECK(c == std::vector<float>(6, 7.0f));
  tenon::internal::product<float>(2, 3, 0, none, none, {c.data(), 3, 1});
  CHECK(c == std::vector<float>(6, 0.0f));
}

TEST_CASE("a row repeated by stride zero multiplies like a copied one") {
  std::int64_t const m = 20, n = 18, k = 16;
  std::vector<float> row(16), b(16 * 18), c(20 * 18);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5);
  tenon::internal::product<float>(m, n, k, {row.data(), 0, 1}, {b.data(), n, 1}, {c.data(), n, 1});
  for (std::size_t j = 0; j < 18; ++j) {
    float sum = 0;
    for (std::size_t p = 0; p < 16; ++p) sum += row[p] * b[p * 18 + j];
    for (std::size_t i = 0; i < 20; ++i) CHECK(c[i * 18 + j] == sum);
  }
}

TEST_CASE("the previous contents of the result are ignored, even NaN") {
  for (std::size_t const n : {2u, 40u}) {
    auto const size = static_cast<std::int64_t>(n);
    std::vector<float> const ones(n * n, 1.0f);
    std::vector<float> c(n * n, std::numeric_limits<float>::quiet_NaN());
    tenon::internal::product<float>(size, size, size, {ones.data(), size, 1},
                                    {ones.data(), 1, size}, {c.data(), size, 1});
    CHECK(c == std::vector<float>(n * n, static_cast<float>(n)));
  }
}

TEST_CASE("NaN and infinity propagate as in a plain sum of products") {
  float const inf = std::numeric_limits<float>::infinity();
  for (std::size_t const n : {1u, 3u, 9u, 33u, 70u}) {
    auto const size = static_cast<std::int64_t>(n);
    std::vector<float> a(n * n, 1.0f), b(n * n, 1.0f), c(n * n);
    a[0] = 0.0f;
    b[0] = inf;
    tenon::internal::product<float>(size, size, size, {a.data(), size, 1}, {b.data(), size, 1},
                                    {c.data(), size, 1});
    CHECK(std::isnan(c[0]));
    for (std::size_t i = 1; i < n; ++i) {
      CHECK(c[i * n] == inf);
      CHECK(c[i] == static_cast<float>(n - 1));
    }
  }
}

TEST_CASE("the same matmul gives the same bits with either kind of working memory") {
  std::mt19937 random(5);
  Operand<float> const a(70, 300, Order::rows, random), b(300, 50, Order::columns, random);
  std::vector<float> first(70 * 50), second(70 * 50, 3.0f);
  tenon::internal::SharedBuffer const scratch(
      tenon::internal::ProductScratch<float>::bytes(50, 300));
  tenon::internal::product<float>(70, 50, 300, a.constant(), b.constant(), {first.data(), 50, 1});
  tenon::internal::product<float>(70, 50, 300, a.constant(), b.constant(), {second.data(), 50, 1},
                                  false, scratch.as<std::byte>());
  CHECK(first == second);
}

TEST_CASE("a matmul allocates its working memory from the cache") {
  std::vector<double> const a(400, 2.0);
  std::vector<double> c(400);
  auto const multiply = [&] {
    tenon::internal::product<double>(20, 20, 20, {a.data(), 20, 1}, {a.data(), 20, 1},
                                     {c.data(), 20, 1});
  };
  multiply();
  std::int64_t const before = tenon::memory::system_allocations();
  for (int i = 0; i < 10; ++i) multiply();
  CHECK(tenon::memory::system_allocations() == before);
}

}  // namespace product_test
