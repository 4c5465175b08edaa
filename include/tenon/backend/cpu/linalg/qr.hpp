#pragma once

#include <algorithm>

#include <tenon/backend/cpu/linalg/reflector_block.hpp>

namespace tenon::internal::linalg {

/// Makes reflectors of columns `from` to `to`, and applies them to those up to `end`.
template <class T, class M, class From, class To, class End>
void reflect_panel(M m, From from, To to, End end, T* c, T* diagonal, T* tau) {
  for (std::int64_t j = from; j < to; ++j) {
    T* const v = c + j * m + j;
    auto const reflector = make_reflector(m - j, v);
    diagonal[j] = reflector.beta;
    tau[j] = reflector.tau;
    for (std::int64_t i = j + 1; i < end; ++i) reflect_row(m - j, reflector.tau, v, c + i * m + j);
  }
}

/// The same for all columns of an m x n matrix, in blocks.
template <class T>
void reflect_panels(std::int64_t m, std::int64_t n, T* c, T* diagonal, T* tau) {
  std::int64_t const k = (std::min)(m, n), panel = reflector_panel;
  if (k <= 2 * panel) return reflect_panel(m, 0, k, n, c, diagonal, tau);
  for (std::int64_t from = 0; from < k; from += panel) {
    std::int64_t const to = (std::min)(k, from + panel);
    reflect_panel(m, from, to, to, c, diagonal, tau);
    if (to == n) return;
    ReflectorBlock<T> const block(to - from, m - from, c + from * m + from, m, tau + from);
    block.apply(false, n - to, c + to * m + from, m);
  }
}

/// Replaces the columns of an m x n matrix, each a contiguous row of `c` (n x m), by reflectors
/// below and R above; stores the diagonal of R to `diagonal`, the factors of the reflectors to
/// `tau`.
template <class T, class M, class N>
void reflect_columns(M m, N n, T* c, T* diagonal, T* tau) {
  if constexpr (is_known<N>) reflect_panel(m, 0, smaller(m, n), n, c, diagonal, tau);
  else reflect_panels<T>(m, n, c, diagonal, tau);
}

/// The first k columns of the product of the reflectors, as rows of `q` (k x m).
template <class T, class M, class K>
void reflectors_as_rows(M m, K k, T const* c, T const* tau, T* q) {
  set_identity(k, m, q);
  if constexpr (is_known<K>) apply_each_reflector(k, m, c, m, tau, k, q);
  else apply_reflectors<T>(k, m, c, m, tau, k, q);
}

/// a = q r: q (m x k) has orthonormal columns, r (k x n) is upper triangular, k = min(m, n).
/// Computed by reflectors, with the signs of LAPACK.
template <class T, class M, class N>
void qr_factors(M m, N n, T const* a, T* q, T* r) {
  auto const k = smaller(m, n);
  auto columns = workspace<T>(product_of(n, m)), rows = workspace<T>(product_of(k, m));
  auto diagonal = workspace<T>(k), tau = workspace<T>(k);
  T* const c = columns.data();
  transpose_matrix(m, n, a, c);
  T const scale = even_scale(product_of(n, m), c);
  if (scale == T(0)) return fill_nan(product_of(m, k), q), fill_nan(product_of(k, n), r);
  scale_row(product_of(n, m), scale, c);
  reflect_columns(m, n, c, diagonal.data(), tau.data());
  reflectors_as_rows(m, k, c, tau.data(), rows.data());
  transpose_matrix(k, m, rows.data(), q);
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < n; ++j) r[i * n + j] = j > i ? c[j * m + i] / scale : T(0);
    r[i * n + i] = diagonal.data()[i] / scale;
  }
}

}  // namespace tenon::internal::linalg
