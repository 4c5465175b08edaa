#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include <tenon/eval/linalg/householder.hpp>
#include <tenon/eval/linalg/jacobi_svd.hpp>

namespace tenon::internal::linalg {

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
