#pragma once

#include <algorithm>

#include <tenon/backend/cpu/linalg/rows.hpp>

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

}  // namespace tenon::internal::linalg
