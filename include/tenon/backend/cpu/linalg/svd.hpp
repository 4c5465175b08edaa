#pragma once

#include <algorithm>
#include <utility>

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

/// A rotation that maps (f, g) to (r, 0).
template <class T>
struct Rotation {
  T c = 1, s = 0, r = 0;
};
template <class T>
Rotation<T> rotation(T f, T g) {
  if (g == T(0)) return {T(1), T(0), f};
  T const r = std::hypot(f, g);
  return {f / r, g / r, r};
}

/// A bidiagonal matrix with the rows of uᵀ and vᵀ, rotated with it: in the end b = u diag(d) vᵀ.
template <class T>
class BidiagonalSvd {
 public:
  BidiagonalSvd(std::int64_t m, std::int64_t n, T* d, T* e, T* ut, T* vt)
      : m_(m), n_(n), d_(d), e_(e), ut_(ut), vt_(vt) {
    for (std::int64_t i = 0; i < n; ++i) {
      norm_ = (std::max)(norm_, std::abs(d[i]));
      if (i + 1 < n) norm_ = (std::max)(norm_, std::abs(e[i]));
    }
  }

  /// Implicit QR steps from the end; false if they do not converge.
  bool run() {
    int steps = 0;
    for (std::int64_t to = n_ - 1; to > 0;) {
      std::int64_t const from = start_of_block(to);
      if (from == to) --to, steps = 0;
      else if (++steps > 60) return false;
      else if (!cut_at_zero(from, to)) step(from, to);
    }
    return true;
  }

  /// Makes the values positive, in descending order.
  void order() {
    for (std::int64_t i = 0; i < n_; ++i) {
      if (std::signbit(d_[i])) d_[i] = -d_[i], scale_row(n_, T(-1), vt_ + i * n_);
    }
    for (std::int64_t i = 0; i < n_; ++i) {
      std::int64_t const most = std::max_element(d_ + i, d_ + n_) - d_;
      if (most == i) continue;
      std::swap(d_[i], d_[most]);
      swap_rows(m_, ut_ + i * m_, ut_ + most * m_);
      swap_rows(n_, vt_ + i * n_, vt_ + most * n_);
    }
  }

 private:
  static constexpr T epsilon = std::numeric_limits<T>::epsilon();

  bool is_small(std::int64_t i) const {
    return std::abs(e_[i]) <= epsilon * (std::abs(d_[i]) + std::abs(d_[i + 1]));
  }
  std::int64_t start_of_block(std::int64_t to) {
    std::int64_t from = to;
    while (from > 0 && !is_small(from - 1)) --from;
    if (from > 0) e_[from - 1] = 0;
    return from;
  }
  void turn_left(std::int64_t i, std::int64_t j, Rotation<T> const& by) {
    rotate_rows(m_, by.c, by.s, ut_ + i * m_, ut_ + j * m_);
  }
  void turn_right(std::int64_t i, std::int64_t j, Rotation<T> const& by) {
    rotate_rows(n_, by.c, by.s, vt_ + i * n_, vt_ + j * n_);
  }

  /// A zero on the diagonal splits the block: rotations eliminate the adjacent superdiagonal
  /// element.
  bool cut_at_zero(std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i <= to; ++i) {
      if (std::abs(d_[i]) > epsilon * norm_) continue;
      d_[i] = 0;
      i < to ? chase_row(i, to) : chase_column(from, to);
      return true;
    }
    return false;
  }
  void chase_row(std::int64_t i, std::int64_t to) {
    T f = std::exchange(e_[i], T(0));
    for (std::int64_t j = i + 1; j <= to && f != T(0); ++j) {
      auto const by = rotation(d_[j], f);
      d_[j] = by.r;
      turn_left(j, i, by);
      if (j == to) return;
      f = -by.s * e_[j];
      e_[j] *= by.c;
    }
  }
  void chase_column(std::int64_t from, std::int64_t to) {
    T f = std::exchange(e_[to - 1], T(0));
    for (std::int64_t j = to - 1; j >= from && f != T(0); --j) {
      auto const by = rotation(d_[j], f);
      d_[j] = by.r;
      turn_right(j, to, by);
      if (j == from) return;
      f = -by.s * e_[j - 1];
      e_[j - 1] *= by.c;
    }
  }

  /// The eigenvalue of the last 2 x 2 of bᵀb that is nearer to its last element (Wilkinson).
  T shift(std::int64_t from, std::int64_t to) const {
    T const d = d_[to - 1], above = to - 1 > from ? e_[to - 2] : T(0), e = e_[to - 1];
    T const last = d_[to] * d_[to] + e * e, beside = d * e;
    T const half = (d * d + above * above - last) / 2;
    T const away = half + std::copysign(std::hypot(half, beside), half);
    return away == T(0) ? last : last - beside / away * beside;
  }
  /// Golub and Van Loan, algorithm 8.6.1.
  void step(std::int64_t from, std::int64_t to) {
    T y = d_[from] * d_[from] - shift(from, to), z = d_[from] * e_[from];
    for (std::int64_t k = from; k < to; ++k) {
      auto const right = rotation(y, z);
      if (k > from) e_[k - 1] = right.r;
      y = right.c * d_[k] + right.s * e_[k];
      e_[k] = right.c * e_[k] - right.s * d_[k];
      z = right.s * d_[k + 1];
      d_[k + 1] *= right.c;
      turn_right(k, k + 1, right);
      auto const left = rotation(y, z);
      d_[k] = left.r;
      y = left.c * e_[k] + left.s * d_[k + 1];
      d_[k + 1] = left.c * d_[k + 1] - left.s * e_[k];
      z = k + 1 < to ? left.s * e_[k + 1] : T(0);
      if (k + 1 < to) e_[k + 1] *= left.c;
      turn_left(k, k + 1, left);
    }
    e_[to - 1] = y;
  }

  std::int64_t m_, n_;
  T *d_, *e_, *ut_, *vt_;
  T norm_ = 0;
};

/// The factors of `a` (m x n, m >= n), which is overwritten: s, and the rows of uᵀ (n x m) and vᵀ
/// (n x n). `u` and `w` are scratch memory of m x n and 3 n + m elements.
template <class T>
bool tall_svd(std::int64_t m, std::int64_t n, T* a, T* s, T* ut, T* vt, T* u, T* w) {
  Bidiagonal<T> const b{s, w, w + n, w + 2 * n};
  bidiagonalise(m, n, a, b, w + 3 * n);
  bidiagonal_bases(m, n, a, b, u, vt, w + 3 * n);
  transpose_matrix(m, n, u, ut);
  BidiagonalSvd<T> rest(m, n, s, b.e, ut, vt);
  bool const converges = rest.run();
  rest.order();
  return converges;
}

/// a = u diag(s) vt, u is m x k, vt is k x n, k = min(m, n); s is nonnegative in descending order.
/// False if it does not converge.
template <class T, class M, class N>
bool singular_values(M m, N n, T const* a, T* u, T* s, T* vt) {
  auto const k = smaller(m, n);
  auto const all = product_of(m, n);
  auto copy = workspace<T>(all), other = workspace<T>(all), room = workspace<T>(all);
  auto diagonals = workspace<T>(sum_of(product_of(Known<4>(), m), product_of(Known<4>(), n)));
  T const scale = even_scale(all, a);
  if (scale == T(0)) return fill_nan(m * k, u), fill_nan(k, s), fill_nan(k * n, vt), true;
  if (m < n) transpose_matrix(m, n, a, copy.data());
  else std::copy_n(a, m * n, copy.data());
  scale_row(all, scale, copy.data());
  // For a wide matrix the transpose is factored: its uᵀ is vt, and its v is u.
  T *const ut = m < n ? vt : other.data(), *const right = m < n ? other.data() : vt;
  bool const converges = tall_svd<T>(std::max<std::int64_t>(m, n), k, copy.data(), s, ut, right,
                                     room.data(), diagonals.data());
  transpose_matrix(k, m, other.data(), u);
  for (std::int64_t i = 0; i < k; ++i) s[i] /= scale;
  return converges;
}

}  // namespace tenon::internal::linalg
