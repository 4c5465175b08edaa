#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/core/config.hpp>

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

}  // namespace tenon::internal::linalg
