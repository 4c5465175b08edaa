#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/linalg/jacobi.hpp>

namespace tenon::internal::linalg {

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

}  // namespace tenon::internal::linalg
