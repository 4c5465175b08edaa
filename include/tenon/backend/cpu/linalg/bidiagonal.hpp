#pragma once

#include <tenon/backend/cpu/linalg/rows.hpp>

/// a = u b vᵀ with b upper bidiagonal, by reflectors from both sides (Golub and Kahan 1965). All
/// operations are on rows of contiguous elements.
namespace tenon::internal::linalg {

/// Applies the reflector of v (v_i at v[i * stride]) from the left to rows of `a` (m x n, `stride`
/// apart); w has room for n.
template <class T>
void reflect_rows(std::int64_t m, std::int64_t n, std::int64_t stride, T tau, T const* v, T* w,
                  T* a) {
  std::fill_n(w, n, T(0));
  for (std::int64_t i = 0; i < m; ++i) add_multiple(n, tau * v[i * stride], a + i * stride, w);
  for (std::int64_t i = 0; i < m; ++i) add_multiple(n, -v[i * stride], w, a + i * stride);
}

/// A reflector from a column with the given stride.
template <class T>
Reflector<T> make_column_reflector(std::int64_t m, std::int64_t stride, T* x, T* w) {
  for (std::int64_t i = 0; i < m; ++i) w[i] = x[i * stride];
  auto const reflector = make_reflector(m, w);
  for (std::int64_t i = 0; i < m; ++i) x[i * stride] = w[i];
  return reflector;
}

/// The two diagonals of b and the factors of the reflectors.
template <class T>
struct Bidiagonal {
  T *d, *e, *left, *right;
};

/// m >= n. The left reflectors overwrite the columns of `a`, the right ones its rows. w has room
/// for m.
template <class T>
void bidiagonalise(std::int64_t m, std::int64_t n, T* a, Bidiagonal<T> const& b, T* w) {
  for (std::int64_t j = 0; j < n; ++j) {
    T* const corner = a + j * n + j;
    auto const left = make_column_reflector(m - j, n, corner, w);
    b.d[j] = left.beta;
    b.left[j] = left.tau;
    std::int64_t const rest = n - j - 1;
    if (rest == 0) return;
    reflect_rows(m - j, rest, n, left.tau, corner, w, corner + 1);
    auto const right = make_reflector(rest, corner + 1);
    b.e[j] = right.beta;
    b.right[j] = right.tau;
    for (std::int64_t i = 1; i < m - j; ++i)
      reflect_row(rest, right.tau, corner + 1, corner + i * n + 1);
  }
}

/// Computes u (m x n) and vᵀ (n x n) from the reflectors.
template <class T>
void bidiagonal_bases(std::int64_t m, std::int64_t n, T const* a, Bidiagonal<T> const& b, T* u,
                      T* vt, T* w) {
  set_identity(m, n, u);
  set_identity(n, n, vt);
  for (std::int64_t j = n - 1; j >= 0; --j)
    reflect_rows(m - j, n - j, n, b.left[j], a + j * n + j, w, u + j * n + j);
  for (std::int64_t j = n - 2; j >= 0; --j)
    for (std::int64_t i = j + 1; i < n; ++i)
      reflect_row(n - j - 1, b.right[j], a + j * n + j + 1, vt + i * n + j + 1);
}

}  // namespace tenon::internal::linalg
