#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <tenon/core/stable_sort.hpp>

/// Jacobi's methods: rotations, each of which zeroes one off-diagonal element, until all are zero.
namespace tenon::internal::linalg {

/// A row-major matrix that owns its elements.
template <class T>
struct Grid {
  std::int64_t rows, columns;
  std::vector<T> elements;

  Grid(std::int64_t m, std::int64_t n) : rows(m), columns(n), elements(std::size_t(m * n)) {}
  T& operator()(std::int64_t i, std::int64_t j) { return elements[std::size_t(i * columns + j)]; }

  static Grid identity(std::int64_t n) {
    Grid result(n, n);
    for (std::int64_t i = 0; i < n; ++i) result(i, i) = T(1);
    return result;
  }
  T dot(std::int64_t p, std::int64_t q) {
    T sum = 0;
    for (std::int64_t i = 0; i < rows; ++i) sum += (*this)(i, p) * (*this)(i, q);
    return sum;
  }
  /// Rotates columns p and q by the angle of a tangent.
  void turn_columns(std::int64_t p, std::int64_t q, T tangent) {
    T const c = 1 / std::hypot(T(1), tangent), s = c * tangent;
    for (std::int64_t i = 0; i < rows; ++i) {
      T const x = (*this)(i, p), y = (*this)(i, q);
      (*this)(i, p) = c * x - s * y;
      (*this)(i, q) = s * x + c * y;
    }
  }
  void turn_rows(std::int64_t p, std::int64_t q, T tangent) {
    T const c = 1 / std::hypot(T(1), tangent), s = c * tangent;
    for (std::int64_t j = 0; j < columns; ++j) {
      T const x = (*this)(p, j), y = (*this)(q, j);
      (*this)(p, j) = c * x - s * y;
      (*this)(q, j) = s * x + c * y;
    }
  }
};

/// The tangent of the angle that zeroes `between`, the off-diagonal element of two diagonal ones.
template <class T>
T jacobi_tangent(T first, T second, T between) {
  T const theta = (second - first) / (2 * between);
  return std::copysign(T(1), theta) / (std::abs(theta) + std::hypot(theta, T(1)));
}

/// Calls turn(p, q) for all pairs, until it is false for all; false without convergence.
template <class F>
bool sweep_pairs(std::int64_t n, F const& turn) {
  bool turned = true;
  for (int sweep = 0; turned && sweep < 100; ++sweep) {
    turned = false;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) turned = turn(p, q) || turned;
  }
  return !turned;
}

/// The permutation that sorts `count` keys.
template <class T, class Before>
std::vector<std::int64_t> order_of(std::int64_t count, T const* keys, Before before) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](std::int64_t i, std::int64_t j) { return before(keys[i], keys[j]); });
  return order;
}

/// The largest magnitude; NaN or infinite where an element is.
template <class T>
T largest_of(std::int64_t count, T const* a) {
  T largest = 0;
  for (std::int64_t i = 0; i < count; ++i)
    if (!(std::abs(a[i]) <= largest)) largest = std::abs(a[i]);
  return largest;
}

template <class T>
void fill_with_nan(std::int64_t count, T* a) {
  std::fill_n(a, count, std::numeric_limits<T>::quiet_NaN());
}

/// a = v diag(values) vᵀ; v overwrites a, values ascend.
template <class T>
bool jacobi_eigen(std::int64_t n, T* a, T* values) {
  T const largest = largest_of(n * n, a);
  if (!std::isfinite(largest)) return fill_with_nan(n * n, a), fill_with_nan(n, values), true;
  Grid<T> d(n, n), v = Grid<T>::identity(n);
  std::copy_n(a, n * n, d.elements.begin());
  bool const converges = sweep_pairs(n, [&](std::int64_t p, std::int64_t q) {
    if (std::abs(d(p, q)) <= largest * std::numeric_limits<T>::epsilon() / 4) return false;
    T const tangent = jacobi_tangent(d(p, p), d(q, q), d(p, q));
    d.turn_columns(p, q, tangent);
    d.turn_rows(p, q, tangent);
    v.turn_columns(p, q, tangent);
    return true;
  });
  for (std::int64_t i = 0; i < n; ++i) values[i] = d(i, i);
  auto const order = order_of(n, values, [](T one, T other) { return one < other; });
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t const from = order[std::size_t(j)];
    values[j] = d(from, from);
    for (std::int64_t i = 0; i < n; ++i) a[i * n + j] = v(i, from);
  }
  return converges;
}

}  // namespace tenon::internal::linalg
