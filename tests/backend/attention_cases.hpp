#pragma once

// Attention by loops in double, and the results of a device's kernels for the same operands.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <tenon/eval/attention.hpp>

namespace attention_cases {

using namespace tenon::internal;

using Numbers = tenon::internal::AttentionNumbers;
using Doubles = std::vector<double>;

/// Operands and the adjoint of the result, and the results computed from them.
struct Case {
  Numbers numbers;
  Doubles q, k, v, adjoint;
};
struct Result {
  Doubles out, q, k, v;
};

inline Numbers numbers_of(int batches, int heads, int queries, int keys, int width, bool causal) {
  return {std::int64_t{batches} * heads,
          heads,
          queries,
          keys,
          width,
          causal,
          1 / std::sqrt(static_cast<double>(width))};
}

/// Numbers between -2 and 2 that all dtypes represent exactly.
inline Doubles some(std::int64_t count, unsigned seed) {
  Doubles all;
  for (std::int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    all.push_back((static_cast<double>(seed >> 24) - 128) / 64);
  }
  return all;
}
inline Case case_of(Numbers const& n) {
  std::int64_t const queries = n.rows * n.queries * n.width, keys = n.rows * n.keys * n.width;
  return {n, some(queries, 1), some(keys, 2), some(keys, 3), some(queries, 4)};
}

/// The offset of a head's vector at a position.
inline std::size_t place(Numbers const& n, std::int64_t length, std::int64_t row, std::int64_t at) {
  std::int64_t const batch = row / n.heads, head = row % n.heads;
  return static_cast<std::size_t>(((batch * length + at) * n.heads + head) * n.width);
}
inline double dot(double const* a, double const* b, std::int64_t width) {
  double sum = 0;
  for (std::int64_t i = 0; i < width; ++i) sum += a[i] * b[i];
  return sum;
}
inline void add(double* to, double by, double const* x, std::int64_t width) {
  for (std::int64_t i = 0; i < width; ++i) to[i] += by * x[i];
}

/// One query: its weights, its result, and its contributions to the adjoints.
inline void attend_query(Case const& c, std::int64_t row, std::int64_t i, Result& result) {
  Numbers const& n = c.numbers;
  std::int64_t const seen = n.is_causal ? std::min(i + 1, n.keys) : n.keys;
  std::size_t const own = place(n, n.queries, row, i);
  auto const key = [&](std::int64_t j) { return place(n, n.keys, row, j); };
  Doubles weights;
  double total = 0, delta = 0;
  for (std::int64_t j = 0; j < seen; ++j) {
    weights.push_back(std::exp(n.scale * dot(&c.q[own], &c.k[key(j)], n.width)));
    total += weights.back();
  }
  for (std::int64_t j = 0; j < seen; ++j) {
    double const p = weights[static_cast<std::size_t>(j)] /= total;
    add(&result.out[own], p, &c.v[key(j)], n.width);
    add(&result.v[key(j)], p, &c.adjoint[own], n.width);
    delta += p * dot(&c.adjoint[own], &c.v[key(j)], n.width);
  }
  for (std::int64_t j = 0; j < seen; ++j) {
    double const share = dot(&c.adjoint[own], &c.v[key(j)], n.width) - delta;
    double const derivative = weights[static_cast<std::size_t>(j)] * share * n.scale;
    add(&result.q[own], derivative, &c.k[key(j)], n.width);
    add(&result.k[key(j)], derivative, &c.q[own], n.width);
  }
}
inline Result by_loops(Case const& c) {
  Result result{Doubles(c.q.size()), Doubles(c.q.size()), Doubles(c.k.size()), Doubles(c.k.size())};
  for (std::int64_t row = 0; row < c.numbers.rows; ++row)
    for (std::int64_t i = 0; i < c.numbers.queries; ++i) attend_query(c, row, i, result);
  return result;
}

/// A case moved by a step along another case.
inline Case moved(Case c, double by, Case const& tangent) {
  auto const move = [&](Doubles& to, Doubles const& along) {
    add(to.data(), by, along.data(), static_cast<std::int64_t>(to.size()));
  };
  move(c.q, tangent.q), move(c.k, tangent.k), move(c.v, tangent.v);
  return c;
}
/// The derivative of the adjoints along another case, by central differences.
inline Result change_by_loops(Case const& c, Case const& tangent) {
  constexpr double step = 1e-5;
  Result change = by_loops(moved(c, step, tangent));
  Result const before = by_loops(moved(c, -step, tangent));
  auto const divide = [](Doubles& to, Doubles const& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = (to[i] - from[i]) / (2 * step);
  };
  divide(change.q, before.q), divide(change.k, before.k), divide(change.v, before.v);
  return change;
}
inline Result without_values(Result result) {
  result.out.clear();
  return result;
}

inline void expect_near(Doubles const& got, Doubles const& expected, double within) {
  REQUIRE(got.size() == expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const difference = std::abs(got[i] - expected[i]);
    worst = difference <= worst ? worst : difference;  // worst
  }
  CHECK(worst <= within);
}
inline void expect_near(Result const& got, Result const& expected, double within) {
  expect_near(got.out, expected.out, within);
  expect_near(got.q, expected.q, 4 * within);
  expect_near(got.k, expected.k, 4 * within);
  expect_near(got.v, expected.v, 4 * within);
}

/// Calls f(place) for every feature of the last position, which earlier positions do not attend to.
template <class F>
void for_last(Numbers const& n, F const& f) {
  for (std::int64_t row = 0; row < n.rows; ++row)
    for (std::int64_t i = 0; i < n.width; ++i)
      f(place(n, n.queries, row, n.queries - 1) + static_cast<std::size_t>(i));
}
/// The case with other keys and values at the last position, whose query has no adjoint.
inline Case with_last(Case c, double key, double value) {
  for_last(c.numbers, [&](std::size_t i) { c.k[i] = key, c.v[i] = value, c.adjoint[i] = 0; });
  return c;
}
/// The results of the earlier positions.
inline Result before_last(Numbers const& n, Result result) {
  for_last(n, [&](std::size_t i) { result.out[i] = result.q[i] = result.k[i] = result.v[i] = 0; });
  return result;
}
/// Keys and values of masked positions, which must not influence the result.
inline constexpr std::array<std::pair<double, double>, 4> hidden_numbers{
    {{1, std::numeric_limits<double>::quiet_NaN()},
     {std::numeric_limits<double>::quiet_NaN(), 1},
     {std::numeric_limits<double>::infinity(), 1},
     {1, -std::numeric_limits<double>::infinity()}}};

/// The rounding error of the dtype for sums of that many numbers.
template <class T>
double error_of() {
  if constexpr (std::is_same_v<T, double>) return 1e-13;
  else if constexpr (std::is_same_v<T, float>) return 2e-5;
  else return std::is_same_v<T, tenon::float16> ? 4e-3 : 3e-2;
}

/// The numbers as elements of another dtype.
template <class T>
std::vector<T> as(Doubles const& numbers) {
  std::vector<T> all;
  for (double const number : numbers) all.push_back(static_cast<T>(static_cast<float>(number)));
  return all;
}
template <class T>
Doubles as_doubles(std::vector<T> const& elements) {
  Doubles all;
  for (T const element : elements) all.push_back(static_cast<double>(element));
  return all;
}

}  // namespace attention_cases
