#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/linalg/jacobi.hpp>

namespace tenon::internal::linalg {

/// The reflector I - tau v vᵀ that maps column j of an m x n matrix, from its diagonal down, to a
/// multiple of the first unit vector. If all elements below the diagonal are 0, tau is 0.
template <class T>
T plain_reflector(std::int64_t m, std::int64_t n, std::int64_t j, T const* a, T* v) {
  T tail = 0;
  for (std::int64_t i = 0; i < m; ++i) v[i] = i < j ? T(0) : a[i * n + j];
  for (std::int64_t i = j + 1; i < m; ++i) tail = std::hypot(tail, v[i]);
  if (tail == T(0)) return T(0);
  T const alpha = v[j], beta = -std::copysign(std::hypot(alpha, tail), alpha);
  for (std::int64_t i = j + 1; i < m; ++i) v[i] /= alpha - beta;
  v[j] = T(1);
  return (beta - alpha) / beta;
}

/// a = (I - tau v vᵀ) a, for a of m rows and n columns.
template <class T>
void plain_reflect(std::int64_t m, std::int64_t n, T tau, T const* v, T* a) {
  for (std::int64_t j = 0; j < n; ++j) {
    T sum = 0;
    for (std::int64_t i = 0; i < m; ++i) sum += v[i] * a[i * n + j];
    for (std::int64_t i = 0; i < m; ++i) a[i * n + j] -= tau * sum * v[i];
  }
}

/// a = q r by Householder's reflectors, each applied to the whole matrix.
template <class T>
void householder_qr(std::int64_t m, std::int64_t n, T const* a, T* q, T* r) {
  std::int64_t const k = (std::min)(m, n);
  std::vector<T> work(a, a + m * n), taus(static_cast<std::size_t>(k));
  std::vector<std::vector<T>> v(static_cast<std::size_t>(k),
                                std::vector<T>(static_cast<std::size_t>(m)));
  for (std::int64_t j = 0; j < k; ++j) {
    auto const at = static_cast<std::size_t>(j);
    taus[at] = plain_reflector(m, n, j, work.data(), v[at].data());
    plain_reflect(m, n, taus[at], v[at].data(), work.data());
  }
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      r[i * n + j] = j < i ? T(0) : work[static_cast<std::size_t>(i * n + j)];
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < k; ++j) q[i * k + j] = i == j ? T(1) : T(0);
  for (std::int64_t j = k - 1; j >= 0; --j)
    plain_reflect(m, k, taus[static_cast<std::size_t>(j)], v[static_cast<std::size_t>(j)].data(),
                  q);
}

/// Fills column j with a unit vector orthogonal to all columns before it.
template <class T>
void complete_column(Grid<T>& u, std::int64_t j) {
  T best = 0;
  for (std::int64_t unit = 0; unit < u.rows && best < T(0.5); ++unit) {
    Grid<T> candidate(u.rows, 1);
    candidate(unit, 0) = T(1);
    for (int twice = 0; twice < 2; ++twice)
      for (std::int64_t l = 0; l < j; ++l) {
        T along = 0;
        for (std::int64_t i = 0; i < u.rows; ++i) along += u(i, l) * candidate(i, 0);
        for (std::int64_t i = 0; i < u.rows; ++i) candidate(i, 0) -= along * u(i, l);
      }
    T const length = std::sqrt(candidate.dot(0, 0));
    if (length <= best) continue;
    best = length;
    for (std::int64_t i = 0; i < u.rows; ++i) u(i, j) = candidate(i, 0) / length;
  }
}

/// The norm at which a column is rounding noise.
template <class T>
T noise_of(Grid<T>& g) {
  T squares = 0;
  for (std::int64_t j = 0; j < g.columns; ++j) squares += g.dot(j, j);
  return std::numeric_limits<T>::epsilon() * T(g.rows) * std::sqrt(squares);
}

/// Makes the columns of g (m x n, m >= n) orthogonal; v is rotated likewise (Hestenes 1958).
template <class T>
bool orthogonalise_columns(Grid<T>& g, Grid<T>& v, T noise) {
  T const tolerance = 4 * std::numeric_limits<T>::epsilon() * T(g.rows);
  return sweep_pairs(g.columns, [&](std::int64_t p, std::int64_t q) {
    T const first = g.dot(p, p), second = g.dot(q, q), between = g.dot(p, q);
    T const least = std::sqrt((std::min)(first, second)),
            most = std::sqrt((std::max)(first, second));
    if (least <= noise || std::abs(between) <= tolerance * least * most) return false;
    T const tangent = jacobi_tangent(first, second, between);
    g.turn_columns(p, q, tangent);
    v.turn_columns(p, q, tangent);
    return true;
  });
}

/// a = u diag(s) vt for m >= n; the elements of a and of the three factors are found by functions
/// of row and column.
template <class T, class A, class U, class Vt>
bool tall_jacobi_svd(std::int64_t m, std::int64_t n, T scale, A const& a, U const& u, T* s,
                     Vt const& vt) {
  Grid<T> g(m, n), v = Grid<T>::identity(n);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) g(i, j) = a(i, j) / scale;
  T const noise = noise_of(g);
  bool const converges = orthogonalise_columns(g, v, noise);
  std::vector<T> lengths;
  for (std::int64_t j = 0; j < n; ++j) lengths.push_back(std::sqrt(g.dot(j, j)));
  auto const order = order_of(n, lengths.data(), [](T one, T other) { return one > other; });
  Grid<T> sorted(m, n);
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t const from = order[std::size_t(j)];
    T const length = lengths[std::size_t(from)];
    s[j] = length * scale;
    for (std::int64_t i = 0; i < m && length > noise; ++i) sorted(i, j) = g(i, from) / length;
    if (length <= noise) complete_column(sorted, j);
    for (std::int64_t i = 0; i < m; ++i) u(i, j) = sorted(i, j);
    for (std::int64_t i = 0; i < n; ++i) vt(j, i) = v(i, from);
  }
  return converges;
}

/// a = u diag(s) vt; of a wide matrix the transpose is factored.
template <class T>
bool jacobi_svd(std::int64_t m, std::int64_t n, T const* a, T* u, T* s, T* vt) {
  std::int64_t const k = (std::min)(m, n);
  T const largest = largest_of(m * n, a), scale = largest == T(0) ? T(1) : largest;
  if (!std::isfinite(largest))
    return fill_with_nan(m * k, u), fill_with_nan(k, s), fill_with_nan(k * n, vt), true;
  auto const in = [&](auto i, auto j) { return a[i * n + j]; };
  auto const turned = [&](auto i, auto j) { return a[j * n + i]; };
  auto const left = [&](auto i, auto j) -> T& { return u[i * k + j]; };
  auto const right = [&](auto i, auto j) -> T& { return vt[i * n + j]; };
  auto const left_turned = [&](auto i, auto j) -> T& { return u[j * k + i]; };
  auto const right_turned = [&](auto i, auto j) -> T& { return vt[j * n + i]; };
  return m < n ? tall_jacobi_svd(n, m, scale, turned, right_turned, s, left_turned)
               : tall_jacobi_svd(m, n, scale, in, left, s, right);
}

/// Textbook factorisations, element by element.
struct PlainFactors {
  /// Cholesky-Crout: one element after the other, row by row.
  template <class T, class N>
  static std::int64_t cholesky(N n, T* a) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        T sum = a[i * n + j];
        for (std::int64_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
        if (i == j && !(sum > T(0))) return i;
        a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
      }
      for (std::int64_t j = i + 1; j < n; ++j) a[i * n + j] = T(0);
    }
    return -1;
  }

  /// Doolittle with partial pivoting by columns.
  template <class T, class N>
  static std::int64_t lu(N n, T* a, std::int32_t* pivots) {
    std::int64_t zero = -1;
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t p = k;
      for (std::int64_t i = k + 1; i < n; ++i)
        if (!(std::abs(a[i * n + k]) <= std::abs(a[p * n + k]))) p = i;
      pivots[k] = static_cast<std::int32_t>(p);
      for (std::int64_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
      if (a[k * n + k] == T(0)) {
        zero = zero < 0 ? k : zero;
        continue;
      }
      for (std::int64_t i = k + 1; i < n; ++i) {
        a[i * n + k] /= a[k * n + k];
        for (std::int64_t j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
      }
    }
    return zero;
  }

  /// Columns of b one after the other: rows exchanged, then forward and back substitution.
  template <class T, class N, class K>
  static void solve(N n, K k, T const* lu, std::int32_t const* pivots, T* b) {
    for (std::int64_t c = 0; c < k; ++c) {
      for (std::int64_t i = 0; i < n; ++i) std::swap(b[i * k + c], b[pivots[i] * k + c]);
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < i; ++j) b[i * k + c] -= lu[i * n + j] * b[j * k + c];
      for (std::int64_t i = n - 1; i >= 0; --i) {
        for (std::int64_t j = i + 1; j < n; ++j) b[i * k + c] -= lu[i * n + j] * b[j * k + c];
        b[i * k + c] /= lu[i * n + i];
      }
    }
  }

  template <class T, class M, class N>
  static void qr(M m, N n, T const* a, T* q, T* r) {
    householder_qr<T>(m, n, a, q, r);
  }
  template <class T, class N>
  static bool eigh(N n, T* a, T* values) {
    return jacobi_eigen<T>(n, a, values);
  }
  template <class T, class M, class N>
  static bool svd(M m, N n, T const* a, T* u, T* s, T* vt) {
    return jacobi_svd<T>(m, n, a, u, s, vt);
  }
};

}  // namespace tenon::internal::linalg
