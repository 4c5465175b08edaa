#pragma once

#include <algorithm>

#include <tenon/backend/cpu/linalg/rows.hpp>

namespace tenon::internal::linalg {

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

}  // namespace tenon::internal::linalg
