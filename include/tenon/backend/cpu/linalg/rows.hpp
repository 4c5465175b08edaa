#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/matmul/products.hpp>
#include <tenon/tensor/memory.hpp>
#include <tenon/tensor/workspace.hpp>

/// Operations of factorisations on contiguous rows.
namespace tenon::internal::linalg {

/// Columns factored before the trailing matrix is updated by one matmul.
inline constexpr std::int64_t factor_panel = 64;

/// y += f x.
template <class T, class N>
void add_multiple(N n, T f, T const* x, T* y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] += f * x[i];
}

template <class T, class N>
void scale_row(N n, T f, T* x) {
  for (std::int64_t i = 0; i < n; ++i) x[i] *= f;
}

template <class T, class N>
void swap_rows(N n, T* x, T* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    T const kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

/// Replaces (x, y) by (c x + s y, c y - s x).
template <class T, class N>
void rotate_rows(N n, T c, T s, T* x, T* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    T const a = x[i], b = y[i];
    x[i] = c * a + s * b;
    y[i] = c * b - s * a;
  }
}

template <class T>
void negate(std::int64_t m, std::int64_t n, StridedMatrix<T> c) {
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) c(i, j) = -c(i, j);
  }
}

/// c = a b, or c += a b (`accumulate`): the kernel of the runtime, which no file parses that only
/// calls it.
template <class T>
void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
             StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate = false) {
  MatrixProduct<T> p{m, n, k, a.data, a.row_stride, a.column_stride};
  p.b = b.data, p.b_row = b.row_stride, p.b_column = b.column_stride;
  p.c = c.data, p.c_row = c.row_stride, p.accumulate = accumulate;
  std::size_t const bytes = CpuProducts<T>::scratch(p);
  SharedBuffer const scratch = bytes == 0 ? SharedBuffer() : SharedBuffer(bytes);
  CpuProducts<T>::multiply(p, scratch.as<std::byte>());
}

/// c -= a b, by the accumulating kernel.
template <class T>
void subtract_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                      StridedMatrix<T const> b, StridedMatrix<T> c) {
  negate(m, n, c);
  linalg::product<T>(m, n, k, a, b, c, true);
  negate(m, n, c);
}

/// to = fromᵀ, n x m of m x n. In tiles: in whole rows every element would be written to another
/// cache line, which of a power of two rows all fall into a few sets of the cache.
template <class T, class M, class N>
void transpose_matrix(M m, N n, T const* from, T* to) {
  constexpr std::int64_t tile = 16;
  for (std::int64_t top = 0; top < m; top += tile) {
    for (std::int64_t left = 0; left < n; left += tile) {
      std::int64_t const rows = std::min<std::int64_t>(m, top + tile),
                         columns = std::min<std::int64_t>(n, left + tile);
      for (std::int64_t j = left; j < columns; ++j)
        for (std::int64_t i = top; i < rows; ++i) to[j * m + i] = from[i * n + j];
    }
  }
}

template <class T, class M, class N>
void set_identity(M m, N n, T* to) {
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) to[i * n + j] = i == j ? T(1) : T(0);
  }
}

/// A power of two that scales numbers whose squares would overflow or underflow to about 1,
/// otherwise 1; 0 if a number is not finite.
template <class T, class N>
T even_scale(N count, T const* x) {
  T largest = 0, sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    T const size = std::abs(x[i]);
    largest = size > largest ? size : largest;
    sum += x[i] * T(0);
  }
  if (!(sum == T(0))) return T(0);
  constexpr int most = std::numeric_limits<T>::max_exponent - 2, even = most / 4;
  int const exponent = largest == T(0) ? 0 : std::ilogb(largest);
  if (-even <= exponent && exponent <= even) return T(1);
  return std::ldexp(T(1), std::clamp(-exponent, -most, most));
}

template <class T, class N>
void fill_nan(N count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::numeric_limits<T>::quiet_NaN();
}

/// The root of a sum of squares, also where the squares underflow.
template <class T, class N>
T length(N n, T const* x) {
  T const sum = sum_of_products<T>(n, x, x);
  constexpr T least = (std::numeric_limits<T>::min)() / std::numeric_limits<T>::epsilon();
  if (sum > least) return std::sqrt(sum);
  T result = 0;
  for (std::int64_t i = 0; i < n; ++i) result = std::hypot(result, x[i]);
  return result;
}

/// The reflector I - tau v vᵀ that maps x to (beta, 0, ...); v, with v[0] = 1, overwrites x.
template <class T>
struct Reflector {
  T beta, tau;
};

/// Like LAPACK's `larfg`: a vector that is already (alpha, 0, ...) keeps its sign.
template <class T, class N>
Reflector<T> make_reflector(N n, T* x) {
  T const alpha = x[0], tail = length(n - 1, x + 1);
  x[0] = T(1);
  if (tail == T(0)) return {alpha, T(0)};
  T const beta = -std::copysign(std::hypot(alpha, tail), alpha);
  scale_row(n - 1, T(1) / (alpha - beta), x + 1);
  return {beta, (beta - alpha) / beta};
}

/// A row of a matrix times a reflector.
template <class T, class N>
void reflect_row(N n, T tau, T const* v, T* row) {
  add_multiple(n, -tau * sum_of_products<T>(n, v, row), v, row);
}

}  // namespace tenon::internal::linalg
