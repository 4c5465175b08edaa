#pragma once

// Reductions of rows of irregular lengths, on a device that reduces them in work groups, lanes and
// chunks, compared with plain loops.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "numbers.hpp"
#include "suite/forward_device.hpp"

namespace long_rows {

using namespace tenon;

/// Two rows; with `breaks` the first ends with infinity and the second contains two NaN.
inline Tensor<float, "n m"> rows_of(std::int64_t length, bool breaks) {
  auto x = numbers<Tensor<float, "n m">>(3, 2, length);
  if (!breaks) return x;
  float* const to = x.mutable_data();
  to[length - 1] = std::numeric_limits<float>::infinity();
  to[length + length / 2] = to[2 * length - 1] = std::numeric_limits<float>::quiet_NaN();
  return x;
}

inline std::vector<double> row_of(Tensor<float, "n m"> const& x, std::int64_t row) {
  std::int64_t const length = x.sizes()[1];
  return {x.data() + row * length, x.data() + (row + 1) * length};
}

inline void expect_near(double got, double expected, double tolerance) {
  bool const is_same = got == expected || (std::isnan(got) && std::isnan(expected));
  if (is_same || std::abs(got - expected) <= tolerance) return;
  INFO("got " << got << ", expected " << expected);
  CHECK(is_same);
}

inline double sum_of(std::vector<double> const& row) {
  double sum = 0;
  for (double const x : row) sum += x;
  return sum;
}
/// The index of the first NaN, or of the first maximum.
inline std::int64_t place_of_largest(std::vector<double> const& row) {
  auto place = std::ranges::find_if(row, [](double x) { return std::isnan(x); });
  if (place == row.end()) place = std::ranges::max_element(row);
  return place - row.begin();
}
inline std::vector<double> softmax_of(std::vector<double> row) {
  for (double& x : row) x = std::exp(x);
  double const sum = sum_of(row);
  for (double& x : row) x /= sum;
  return row;
}

/// Sums, extremes and their indices.
template <class D>
void expect_reductions(std::int64_t length) {
  INFO(length);
  for (bool const breaks : {false, true}) {
    auto const x = rows_of(length, breaks);
    auto const there = to<suite::Forward<D>>(x);
    auto const sums = to<Cpu>(eval(sum<"m">(there))), largest = to<Cpu>(eval(max<"m">(there)));
    auto const places = to<Cpu>(eval(argmax<"m">(there)));
    for (std::int64_t i = 0; i < 2; ++i) {
      auto const row = row_of(x, i);
      std::int64_t const place = place_of_largest(row);
      expect_near(sums.data()[i], sum_of(row), 1e-6 * double(length));
      expect_near(largest.data()[i], row[static_cast<std::size_t>(place)], 0);
      CHECK(places.data()[i] == place);
    }
  }
}

/// Reductions in several kernels, and in one.
template <class D>
void expect_steps(std::int64_t length) {
  INFO(length);
  auto const x = rows_of(length, false);
  auto const there = to<suite::Forward<D>>(x);
  auto const softmaxes = to<Cpu>(eval(softmax<"m">(there)));
  for (std::int64_t i = 0; i < 2; ++i) {
    auto const got = row_of(softmaxes, i), expected = softmax_of(row_of(x, i));
    for (std::size_t k = 0; k < got.size(); ++k)
      expect_near(got[k], expected[k], 1e-5 * expected[k]);
  }
  double const all = sum_of(row_of(x, 0)) + sum_of(row_of(x, 1));
  expect_near(mean(there).item(), all / double(x.size()), 1e-5);
  CHECK(mean(there).item() == mean(there).item());
}

/// Other dtypes.
template <class D>
void expect_dtypes(std::int64_t length) {
  auto const whole = numbers<Tensor<std::int32_t, "n m">>(4, 2, length);
  auto const x = rows_of(length, false);
  std::uint32_t sum_of_whole = 0;
  for (std::int64_t k = 0; k < whole.size(); ++k)
    sum_of_whole += static_cast<std::uint32_t>(whole.data()[k]);
  CHECK(static_cast<std::uint32_t>(sum(to<suite::Forward<D>>(whole)).item()) == sum_of_whole);
  double const all = sum_of(row_of(x, 0)) + sum_of(row_of(x, 1));
  expect_near(sum(to<suite::Forward<D>>(eval(to<double>(x)))).item(), all, 1e-11 * double(length));
  expect_near(double(float(mean(to<suite::Forward<D>>(eval(to<float16>(x)))).item())),
              all / double(x.size()), 1e-3);
}

/// The gradient of a scalar that is broadcast to all elements.
template <class D>
void expect_gradient_of_scalar(std::int64_t length) {
  auto const x = rows_of(length, false);
  auto const there = to<D>(x);
  auto const got = grad([&](auto const& s) { return mean(there * there * s); })(
      to<D>(full<Tensor<float, "">>(2.0f)));
  double expected = 0;
  for (std::int64_t k = 0; k < x.size(); ++k)
    expected += double(x.data()[k]) * double(x.data()[k]) / double(x.size());
  expect_near(to<Cpu>(got).item(), expected, 1e-5);
}

/// Gradients of rows, of elements gathered from them, and of a row that is broadcast to all rows.
template <class D>
void expect_gradients(std::int64_t length) {
  auto const x = rows_of(length, false);
  auto const gain = numbers<Tensor<float, "m">>(5, length);
  auto const ids = to<D>(eval(iota<Tensor<std::int32_t, "n">>(2) * 5 + 3));
  auto const [derivative, of_gain] = grad([&](auto const& all) {
    auto const& [a, g] = all;
    return sum(logsumexp<"m">(a * g) - pick<"m">(a * g, ids));
  })(std::tuple(to<D>(x), to<D>(gain)));
  auto const got = to<Cpu>(derivative);
  auto const got_of_gain = to<Cpu>(of_gain);
  std::vector<double> expected(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < 2; ++i) {
    auto const row = row_of(x, i), own = row_of(got, i);
    auto scaled = row;
    for (std::size_t k = 0; k < row.size(); ++k) scaled[k] *= double(gain.data()[k]);
    auto share = softmax_of(scaled);
    share[static_cast<std::size_t>(i * 5 + 3)] -= 1;
    for (std::size_t k = 0; k < row.size(); ++k) {
      expect_near(own[k], share[k] * double(gain.data()[k]), 1e-5);
      expected[k] += share[k] * row[k];
    }
  }
  for (std::size_t k = 0; k < expected.size(); ++k)
    expect_near(got_of_gain.data()[k], expected[k], 1e-5);
}

/// Adds to the gradient of mean((a + g)²) + mean(logsumexp(a g)) the terms of row a of `count`.
inline void add_row_of_many(std::vector<double> const& a, std::vector<double> const& gain,
                            double count, std::vector<double>& of_a, std::vector<double>& of_gain) {
  std::vector<double> products(a);
  for (std::size_t k = 0; k < a.size(); ++k) products[k] *= gain[k];
  auto const share = softmax_of(products);
  for (std::size_t k = 0; k < a.size(); ++k) {
    double const of_square = 2 * (a[k] + gain[k]) / (count * double(a.size()));
    of_a.push_back(of_square + share[k] * gain[k] / count);
    of_gain[k] += of_square + share[k] * a[k] / count;
  }
}

/// Gradients of rows that are added to many rows, and multiply them: partial sums of chunks, in one
/// work item per column, and in groups that compute a row.
template <class D>
void expect_gradients_of_many(std::int64_t count) {
  auto const x = numbers<Tensor<float, "n m">>(6, count, 70);
  auto const gain = numbers<Tensor<float, "m">>(5, 70);
  auto const [of_x, of_gain] = grad([](auto const& all) {
    auto const& [a, g] = all;
    return mean(square(a + g)) + mean(logsumexp<"m">(a * g));
  })(std::tuple(to<D>(x), to<D>(gain)));
  std::vector<double> const gains(gain.data(), gain.data() + 70);
  std::vector<double> expected_x, expected_gain(70);
  for (std::int64_t i = 0; i < count; ++i)
    add_row_of_many(row_of(x, i), gains, double(count), expected_x, expected_gain);
  auto const same = [](auto const& here, std::vector<double> const& expected) {
    auto const* const got = here.data();
    REQUIRE(here.size() == std::int64_t(expected.size()));
    for (std::size_t k = 0; k < expected.size(); ++k) expect_near(got[k], expected[k], 1e-6);
  };
  same(to<Cpu>(of_x), expected_x);
  same(to<Cpu>(of_gain), expected_gain);
}

}  // namespace long_rows
