#pragma once

#include <tenon/backend/cpu/factor/cholesky.hpp>
#include <tenon/backend/cpu/factor/lu.hpp>

namespace tenon::linalg {

/// One matrix at a time, row-major, on one thread. Loops over the library's product kernel: Eigen's
/// own decompositions are as fast, but each costs the compiler 5 s (QR, symmetric eigenvalues,
/// Jacobi's SVD) to 24 s (divide and conquer) for every dtype and every size it knows (g++ 12 -O1).
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
};

}  // namespace tenon::linalg
