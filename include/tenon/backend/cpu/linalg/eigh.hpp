#pragma once

#include <algorithm>

#include <tenon/backend/cpu/linalg/reflector_block.hpp>

namespace tenon::internal::linalg {

/// a -= v wᵀ + w vᵀ of the last n rows and columns of a symmetric matrix, where w = tau (a v -
/// ...): the reflector of v from both sides. `a` points to the first of these rows, which are
/// `stride` apart.
template <class T>
void reflect_both_sides(std::int64_t n, std::int64_t stride, T tau, T const* v, T* w, T* a) {
  for (std::int64_t i = 0; i < n; ++i) w[i] = tau * sum_of_products(n, a + i * stride, v);
  add_multiple(n, -tau / 2 * sum_of_products(n, w, v), v, w);
  for (std::int64_t i = 0; i < n; ++i) {
    add_multiple(n, -v[i], w, a + i * stride);
    add_multiple(n, -w[i], v, a + i * stride);
  }
}

/// qᵀ a q is tridiagonal, with the diagonals d and e; row i of `a` keeps the reflector of step i.
template <class T, class N>
void tridiagonalise(N n, T* a, T* d, T* e, T* tau, T* w) {
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    T* const v = a + i * n + i + 1;
    d[i] = a[i * n + i];
    auto const reflector = make_reflector(n - i - 1, v);
    e[i] = reflector.beta;
    tau[i] = reflector.tau;
    reflect_both_sides<T>(n - i - 1, n, reflector.tau, v, w, a + (i + 1) * n + i + 1);
  }
  if (n > 0) d[n - 1] = a[n * n - 1];
}

/// The product of the reflectors, transposed: its row i is column i of q.
template <class T, class N>
void tridiagonal_basis(N n, T const* a, T const* tau, T* q) {
  set_identity(n, n, q);
  if (n < 2) return;
  std::int64_t const count = n - 1;
  if constexpr (is_known<N>) apply_each_reflector(count, count, a + 1, n, tau, count, q + n + 1);
  else apply_reflectors<T>(count, count, a + 1, n, tau, count, q + n + 1);
}

/// One implicit QL step on rows `from` to `to` of a tridiagonal matrix; rotates the rows of q.
template <class T, class N>
void ql_step(N n, std::int64_t from, std::int64_t to, T* d, T* e, T* q) {
  T g = (d[from + 1] - d[from]) / (2 * e[from]);
  g = d[to] - d[from] + e[from] / (g + std::copysign(std::hypot(g, T(1)), g));
  T s = 1, c = 1, p = 0;
  for (std::int64_t i = to - 1; i >= from; --i) {
    T const f = s * e[i], b = c * e[i], r = std::hypot(f, g);
    e[i + 1] = r;
    if (r == T(0)) return d[i + 1] -= p, void(e[to] = 0);
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    T const t = (d[i] - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    rotate_rows(n, c, s, q + (i + 1) * n, q + i * n);
  }
  d[from] -= p;
  e[from] = g;
  e[to] = 0;
}

/// Diagonalises a tridiagonal matrix; false if it does not converge.
template <class T, class N>
bool ql_iterations(N n, T* d, T* e, T* q) {
  constexpr T epsilon = std::numeric_limits<T>::epsilon();
  for (std::int64_t from = 0; from < n; ++from) {
    for (int step = 0;; ++step) {
      std::int64_t to = from;
      while (to + 1 < n && std::abs(e[to]) > epsilon * (std::abs(d[to]) + std::abs(d[to + 1])))
        ++to;
      if (to == from) break;
      if (step == 60) return false;
      ql_step(n, from, to, d, e, q);
    }
  }
  return true;
}

/// Sorts rows by their keys in ascending order.
template <class T, class N>
void sort_rows(N n, T* keys, T* rows) {
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t const least = std::min_element(keys + i, keys + n) - keys;
    if (least == i) continue;
    std::swap(keys[i], keys[least]);
    swap_rows(n, rows + i * n, rows + least * n);
  }
}

/// a = v diag(values) vᵀ for symmetric a, which is overwritten by v; values ascend. Reduction to
/// tridiagonal form by reflectors, then implicit QL steps. False if it does not converge.
template <class T, class N>
bool symmetric_eigen(N n, T* a, T* values) {
  auto const count = product_of(n, n);
  auto rows = workspace<T>(count);
  auto e = workspace<T>(n), tau = workspace<T>(n), w = workspace<T>(n);
  T const scale = even_scale(count, a);
  if (scale == T(0)) return fill_nan(count, a), fill_nan(n, values), true;
  scale_row(count, scale, a);
  if (n > 0) e.data()[n - 1] = 0;
  tridiagonalise(n, a, values, e.data(), tau.data(), w.data());
  tridiagonal_basis(n, a, tau.data(), rows.data());
  bool const converges = ql_iterations(n, values, e.data(), rows.data());
  sort_rows(n, values, rows.data());
  transpose_matrix(n, n, rows.data(), a);
  for (std::int64_t i = 0; i < n; ++i) values[i] /= scale;
  return converges;
}

}  // namespace tenon::internal::linalg
