#pragma once

#include <algorithm>

#include <tenon/backend/cpu/linalg/eigh.hpp>
#include <tenon/backend/cpu/linalg/reflector_block.hpp>
#include <tenon/backend/cpu/linalg/rows.hpp>
#include <tenon/backend/cpu/linalg/svd.hpp>

namespace tenon::internal::linalg {

/// Factors columns `from` to `to`, after the updates by earlier columns. Returns the first pivot
/// that is not positive, or -1.
template <class T, class N, class Columns>
std::int64_t cholesky_panel(N n, T* a, std::int64_t from, Columns to) {
  for (std::int64_t j = from; j < to; ++j) {
    T* const row = a + j * n;
    T const square = row[j] - sum_of_products(j - from, row + from, row + from);
    if (!(square > T(0))) return j;
    T const pivot = row[j] = std::sqrt(square);
    for (std::int64_t i = j + 1; i < n; ++i) {
      T* const below = a + i * n;
      below[j] = (below[j] - sum_of_products(j - from, below + from, row + from)) / pivot;
    }
  }
  return -1;
}

/// Updates the trailing matrix by columns `from` to `to`, by blocks of rows.
template <class T>
void cholesky_update(std::int64_t n, T* a, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = to; i < n; i += factor_panel) {
    std::int64_t const rows = (std::min)(factor_panel, n - i);
    StridedMatrix<T const> const left{a + i * n + from, n, 1}, right{a + to * n + from, 1, n};
    subtract_product<T>(rows, i + rows - to, to - from, left, right, {a + i * n + to, n, 1});
  }
}

/// a = L Lᵀ in place, from the lower triangle; zeros above. Returns the first pivot that is not
/// positive (or NaN), or -1.
template <class T, class N>
std::int64_t cholesky_in_place(N n, T* a) {
  std::int64_t bad = -1;
  if constexpr (is_known<N>) bad = cholesky_panel(n, a, 0, n);
  else {
    for (std::int64_t from = 0; from < n && bad < 0; from += factor_panel) {
      std::int64_t const to = (std::min)(n, from + factor_panel);
      bad = cholesky_panel(n, a, from, to);
      if (bad < 0) cholesky_update<T>(n, a, from, to);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) std::fill_n(a + i * n + i + 1, n - i - 1, T(0));
  return bad;
}

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

/// The row with the largest element of a column, from the diagonal down; NaN counts as largest.
template <class T, class N>
std::int64_t pivot_row(N n, T const* a, std::int64_t column) {
  std::int64_t best = column;
  for (std::int64_t i = column + 1; i < n; ++i) {
    if (!(std::abs(a[i * n + column]) <= std::abs(a[best * n + column]))) best = i;
  }
  return best;
}

/// Factors columns `from` to `to`; swaps full rows. Returns the first zero pivot, or -1.
template <class T, class N, class Columns>
std::int64_t lu_panel(N n, T* a, std::int32_t* pivots, std::int64_t from, Columns to) {
  std::int64_t zero = -1;
  for (std::int64_t j = from; j < to; ++j) {
    std::int64_t const p = pivot_row(n, a, j);
    pivots[j] = static_cast<std::int32_t>(p);
    T* const row = a + j * n;
    if (p != j) swap_rows(n, row, a + p * n);
    if (row[j] == T(0) && zero < 0) zero = j;
    for (std::int64_t i = j + 1; i < n; ++i) {
      T* const below = a + i * n;
      if (row[j] != T(0)) below[j] /= row[j];  // otherwise all below are zeros, too
      add_multiple(to - j - 1, -below[j], row + j + 1, below + j + 1);
    }
  }
  return zero;
}

/// Rows `from` to `to` of the upper factor, right of the panel, and the trailing update.
template <class T>
void lu_update(std::int64_t n, T* a, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = from + 1; i < to; ++i) {
    for (std::int64_t j = from; j < i; ++j)
      add_multiple(n - to, -a[i * n + j], a + j * n + to, a + i * n + to);
  }
  subtract_product<T>(n - to, n - to, to - from, {a + to * n + from, n, 1},
                      {a + from * n + to, n, 1}, {a + to * n + to, n, 1});
}

/// P a = L U in place with partial pivoting; L has ones on its diagonal. `pivots[i]` is the row
/// exchanged with row i. Returns the first pivot that is zero, or -1.
template <class T, class N>
std::int64_t lu_in_place(N n, T* a, std::int32_t* pivots) {
  if constexpr (is_known<N>) return lu_panel(n, a, pivots, 0, n);
  else {
    std::int64_t zero = -1;
    for (std::int64_t from = 0; from < n; from += factor_panel) {
      std::int64_t const to = (std::min)(n, from + factor_panel);
      std::int64_t const here = lu_panel(n, a, pivots, from, to);
      zero = zero < 0 ? here : zero;
      if (to < n) lu_update<T>(n, a, from, to);
    }
    return zero;
  }
}

/// b = L⁻¹ b for rows `from` to `to`, where earlier rows are solved.
template <class T, class N, class K>
void solve_lower_rows(N n, K k, T const* lu, T* b, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = from; i < to; ++i) {
    if (k == 1) b[i] -= sum_of_products(i - from, lu + i * n + from, b + from);
    else
      for (std::int64_t j = from; j < i; ++j) add_multiple(k, -lu[i * n + j], b + j * k, b + i * k);
  }
}

/// b = U⁻¹ b for rows `to` - 1 down to `from`, where later rows are solved.
template <class T, class N, class K>
void solve_upper_rows(N n, K k, T const* lu, T* b, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = to - 1; i >= from; --i) {
    T const* const row = lu + i * n;
    if (k == 1) b[i] -= sum_of_products(to - i - 1, row + i + 1, b + i + 1);
    else
      for (std::int64_t j = i + 1; j < to; ++j) add_multiple(k, -row[j], b + j * k, b + i * k);
    for (std::int64_t c = 0; c < k; ++c) b[i * k + c] /= row[i];
  }
}

/// b = L⁻¹ b, then b = U⁻¹ b, panel by panel.
template <class T>
void solve_panels(std::int64_t n, std::int64_t k, T const* lu, T* b) {
  std::int64_t const panel = factor_panel, last = n == 0 ? -1 : (n - 1) / panel * panel;
  for (std::int64_t from = 0; from < n; from += panel) {
    std::int64_t const to = (std::min)(n, from + panel);
    if (from > 0)
      subtract_product<T>(to - from, k, from, {lu + from * n, n, 1}, {b, k, 1},
                          {b + from * k, k, 1});
    solve_lower_rows(n, k, lu, b, from, to);
  }
  for (std::int64_t from = last; from >= 0; from -= panel) {
    std::int64_t const to = (std::min)(n, from + panel);
    if (to < n)
      subtract_product<T>(to - from, k, n - to, {lu + from * n + to, n, 1}, {b + to * k, k, 1},
                          {b + from * k, k, 1});
    solve_upper_rows(n, k, lu, b, from, to);
  }
}

/// Replaces b (n x k) by a⁻¹ b, from the factors of a.
template <class T, class N, class K>
void lu_solve(N n, K k, T const* lu, std::int32_t const* pivots, T* b) {
  for (std::int64_t i = 0; i < n; ++i)
    if (pivots[i] != i) swap_rows(k, b + i * k, b + pivots[i] * k);
  if constexpr (is_known<N>) {
    solve_lower_rows(n, k, lu, b, 0, n);
    solve_upper_rows(n, k, lu, b, 0, n);
  } else {
    solve_panels<T>(n, k, lu, b);
  }
}

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
