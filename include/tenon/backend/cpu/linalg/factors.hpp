#pragma once

#include <tenon/backend/cpu/linalg/cholesky.hpp>
#include <tenon/backend/cpu/linalg/eigh.hpp>
#include <tenon/backend/cpu/linalg/lu.hpp>
#include <tenon/backend/cpu/linalg/qr.hpp>
#include <tenon/backend/cpu/linalg/svd.hpp>

namespace tenon::internal::linalg {

/// One matrix at a time, row-major, on one thread. Loops over the library's matmul kernel. Eigen's
/// decompositions take the compiler 2 s to parse and 4 s (LU), 8 s (QR, symmetric eigenvalues,
/// Jacobi's SVD) or 23 s (divide and conquer) for each dtype (g++ 12 -O3), and are not faster: of
/// 256 and 512 rows of double they take 1.5 to 1.9 times as long for `solve`, 1.7 to 2.1 for
/// Cholesky, 0.7 to 2.7 for QR, 0.9 to 1.6 for the SVD, 0.8 to 0.9 for symmetric eigenvalues
/// (bench/linalg.cpp; one thread of a Zen 5).
struct CpuFactors {
  template <class T, class N>
  static std::int64_t cholesky(N n, T* a) {
    return cholesky_in_place(n, a);
  }
  template <class T, class N>
  static std::int64_t lu(N n, T* a, std::int32_t* pivots) {
    return lu_in_place(n, a, pivots);
  }
  template <class T, class N, class K>
  static void solve(N n, K k, T const* lu, std::int32_t const* pivots, T* b) {
    lu_solve(n, k, lu, pivots, b);
  }
  template <class T, class M, class N>
  static void qr(M m, N n, T const* a, T* q, T* r) {
    qr_factors(m, n, a, q, r);
  }
  template <class T, class N>
  static bool eigh(N n, T* a, T* values) {
    return symmetric_eigen(n, a, values);
  }
  template <class T, class M, class N>
  static bool svd(M m, N n, T const* a, T* u, T* s, T* vt) {
    return singular_values(m, n, a, u, s, vt);
  }
};

}  // namespace tenon::internal::linalg
