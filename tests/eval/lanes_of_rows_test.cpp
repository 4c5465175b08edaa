// Reductions of rows of every length: each lane and each tail is counted exactly once.

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace lanes_of_rows_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// Lengths around the size of one vector, of four vectors, and of a block of vectors.
std::vector<int> lengths() {
  std::vector<int> all{1, 2, 3};
  for (int vectors : {1, 2, 4, 5, 64, 65}) {
    for (int more : {-1, 0, 1}) all.push_back(vectors * lane_count + more);
  }
  return all;
}

template <class T, class D>
Tensor<T, "n", D> ordinary_row(std::int64_t n) {
  auto x = zeros<Tensor<T, "n", D>>(n);
  T* const to = x.mutable_data();
  for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<T>((i * 7919 + 13) % 1000) / T(8);
  return x;
}

/// The sum in `long double`, and the rounding error allowed for it: with pairwise sums of blocks, a
/// few units in the last place of the sum of the magnitudes.
template <class T, class D>
void expect_sum(Tensor<T, "n", D> const& x) {
  long double sum = 0, sizes = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    sum += static_cast<long double>(x.data()[i]);
    sizes += std::fabs(static_cast<long double>(x.data()[i]));
  }
  auto const near = [&](T got) {
    auto const unit = static_cast<long double>(std::numeric_limits<T>::epsilon());
    return std::fabs(static_cast<long double>(got) - sum) <= 8 * unit * sizes;
  };
  CAPTURE(x.size());
  CHECK(near(eval(tenon::sum(x)).item()));
  CHECK(near(eval(tenon::sum(x * T(1))).item()));
  auto const n = x.size();
  Tensor<T, "row=3 n", D> const rows = zeros<Tensor<T, "row=3 n", D>>(n) + x;
  for (int i : {0, 1, 2}) CHECK(near(eval(tenon::sum<"n">(rows))(i)));
  Tensor<T, "n row=3", D> const columns = transpose(rows);
  for (int i : {0, 1, 2}) CHECK(near(eval(tenon::sum<"n">(columns))(i)));
}

/// NaN at each position in turn, and an ordinary value as the extreme.
template <class T, class D>
void expect_extremes(int n, int i) {
  auto x = full<Tensor<T, "n", D>>(T(1), n);
  x(i) = T(2);
  CHECK(max(x).item() == 2);
  CHECK(min(-x).item() == -2);
  for (T nan : {std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN()}) {
    x(i) = nan;
    CHECK(std::isnan(max(x).item()));
    CHECK(std::isnan(min(x).item()));
    CHECK(std::isnan(max(x * T(2)).item()));
    CHECK(std::isnan(min(x * T(2)).item()));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("sums of rows agree with sums in double", D, Cpu, Reference) {
  for (int n : lengths()) {
    expect_sum(ordinary_row<float, D>(n));
    expect_sum(ordinary_row<double, D>(n));
  }
  int const least = std::is_same_v<D, Cpu> ? 300'007 : 30'007;
  expect_sum(ordinary_row<float, D>(3 * least));
  expect_sum(ordinary_row<double, D>(least));
}

TEST_CASE_TEMPLATE("sums with terms of both signs cancel as in double", D, Cpu, Reference) {
  for (int n : lengths()) {
    auto x = ordinary_row<float, D>(n);
    for (int i = 1; i < n; i += 2) x(i) = -x(i);
    expect_sum(x);
  }
}

TEST_CASE_TEMPLATE("integers are summed exactly", D, Cpu, Reference) {
  for (int n : lengths()) {
    CHECK(sum(iota<Int32<"n", D>>(n)).item() == n * (n - 1) / 2);
    CHECK(sum(iota<Int64<"n", D>>(n)).item() == n * (n - 1) / 2);
    CHECK(sum(full<UInt8<"n", D>>(200, n)).item() == 200u * static_cast<unsigned>(n));
  }
}

TEST_CASE_TEMPLATE("NaN is both the maximum and the minimum, in every lane and in the tail", D, Cpu,
                   Reference) {
  for (int n : lengths()) {
    for (int i = 0; i<n; i += n> 6 * lane_count ? 23 : 1) {
      expect_extremes<float, D>(n, i);
      expect_extremes<double, D>(n, i);
    }
    expect_extremes<float, D>(n, n - 1);
    expect_extremes<double, D>(n, n - 1);
  }
}

TEST_CASE_TEMPLATE("NaN affects only its row or its column", D, Cpu, Reference) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  for (int rows_in_all : {3, 64, 131}) {  // a block of a column and its neighbours
    for (int n : {1, lane_count, lane_count + 1, 5 * lane_count - 1, 8 * lane_count + 1}) {
      for (int i = 0; i<n; i += rows_in_all + n> 6 * lane_count ? 37 : 1) {
        auto x = zeros<Float32<"row n", D>>(rows_in_all, n);
        int const place = (i * 7 + 1) % rows_in_all;
        x(place, i) = nan;
        auto const rows = eval(max<"n">(x));
        auto const columns = eval(min<"row">(x));
        for (int row = 0; row < rows_in_all; ++row) CHECK(std::isnan(rows(row)) == (row == place));
        for (int j = 0; j < n; ++j) CHECK(std::isnan(columns(j)) == (j == i));
      }
    }
  }
}

TEST_CASE_TEMPLATE("NaN is the result of binary max and min, in every lane and in the tail", D, Cpu,
                   Reference) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  for (int n : lengths()) {
    Float32<"n", D> const x = ordinary_row<float, D>(n);
    for (int i = 0; i<n; i += n> 3 * lane_count ? 29 : 1) {
      Float32<"n", D> y = x;
      y(i) = nan;
      for (auto const& z : {eval(max(x, y)), eval(max(y, x)), eval(min(x, y)), eval(min(y, x))}) {
        for (int j = 0; j < n; ++j) CHECK(std::isnan(z(j)) == (j == i));
      }
    }
  }
}

TEST_CASE_TEMPLATE("over no elements, the sum is 0 and there is no extreme", D, Cpu, Reference) {
  auto const none = zeros<Float32<"row=2 n", D>>(0);
  CHECK(eval(sum<"n">(none))(1) == 0);
  CHECK_THROWS_WITH_AS(max<"n">(none), "tenon::max: an empty axis", ValueError);
  CHECK_THROWS_WITH_AS(min<"n">(none, keep), "tenon::min: an empty axis", ValueError);
  CHECK(eval(max<"row">(none)).size() == 0);  // two rows without elements
  CHECK(eval(softmax<"n">(none)).size() == 0);
  CHECK(eval(logsumexp<"n">(none))(1) == -std::numeric_limits<float>::infinity());
}

TEST_CASE_TEMPLATE("an operand that has only some of the outer axes is read at its own strides", D,
                   Cpu, Reference) {
  Float32<"a=2 b=2 c=3", D> const x{{{1, 2, 3}, {10, 20, 30}}, {{4, 5, 6}, {40, 50, 60}}};
  Float32<"b=2", D> const largest{6, 60};
  auto const y = eval(x - max<"a c">(x, keep));
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 3; ++c) CHECK(y(a, b, c) == x(a, b, c) - largest(b));
}

}  // namespace lanes_of_rows_test
