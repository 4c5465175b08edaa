#pragma once

#include <algorithm>

#include <tenon/backend/cpu/linalg/rows.hpp>

namespace tenon::internal::linalg {

/// Reflectors that are applied one after the other to each other, and as one to the other rows.
inline constexpr std::int64_t reflector_panel = 32;

/// The product H₁ H₂ … of `count` reflectors I - tau v vᵀ as I + Vᵀ F V, so that three matmuls
/// apply it: the rows of V (count x n) are the vectors, F is upper triangular (Schreiber and Van
/// Loan 1989: the compact WY representation; F is their -T).
template <class T>
class ReflectorBlock {
 public:
  /// Vector i begins at `v + i * (stride + 1)` and has n - i elements, the first of them 1.
  ReflectorBlock(std::int64_t count, std::int64_t n, T const* v, std::int64_t stride, T const* tau)
      : count_(count), n_(n), vectors_(count * n), factor_(count * count) {
    for (std::int64_t i = 0; i < count; ++i) {
      T* const row = vectors_.data() + i * n;
      std::fill_n(row, i, T(0));
      std::copy_n(v + i * (stride + 1), n - i, row + i);
    }
    set_factor(tau);
  }

  /// Multiplies m rows of n elements, `stride` apart, by H₁ H₂ …, or by its transpose.
  void apply(bool transposed, std::int64_t m, T* rows, std::int64_t stride) const {
    Workspace<T> const along(m * count_), changes(m * count_);
    T* const f = factor_.data();
    T* const v = vectors_.data();
    product<T>(m, count_, n_, {rows, stride, 1}, {v, 1, n_}, {along.data(), count_, 1});
    product<T>(m, count_, count_, {along.data(), count_, 1},
               {f, transposed ? 1 : count_, transposed ? count_ : 1}, {changes.data(), count_, 1});
    product<T>(m, n_, count_, {changes.data(), count_, 1}, {v, n_, 1}, {rows, stride, 1}, true);
  }

 private:
  /// Column i of F above the diagonal is -tau F V vᵢ, of the reflectors before; below it are zeros.
  void set_factor(T const* tau) {
    Workspace<T> const products(count_ * count_);
    T* const g = products.data();
    T* const f = factor_.data();
    T* const v = vectors_.data();
    product<T>(count_, count_, n_, {v, n_, 1}, {v, 1, n_}, {g, count_, 1});
    std::fill_n(f, count_ * count_, T(0));
    for (std::int64_t i = 0; i < count_; ++i) {
      for (std::int64_t j = 0; j < i; ++j)
        f[j * count_ + i] =
            -tau[i] * sum_of_products<T>(i - j, f + j * count_ + j, g + i * count_ + j);
      f[i * count_ + i] = -tau[i];
    }
  }

  std::int64_t count_, n_;
  Workspace<T> vectors_, factor_;
};

/// Multiplies rows of `q`, `stride` apart, by the transposed product of reflectors of up to n
/// elements: from the last one on, each changes the rows and columns from its own on. Vector i
/// begins at `v + i * (stride + 1)`. One after the other.
template <class T, class Count, class N, class Stride, class Rows>
TENON_INLINE inline void apply_each_reflector(Count count, N n, T const* v, Stride stride,
                                              T const* tau, Rows rows, T* q) {
  for (std::int64_t j = count - 1; j >= 0; --j)
    for (std::int64_t i = j; i < rows; ++i)
      reflect_row(n - j, tau[j], v + j * stride + j, q + i * stride + j);
}

/// The same, in blocks.
template <class T>
void apply_reflectors(std::int64_t count, std::int64_t n, T const* v, std::int64_t stride,
                      T const* tau, std::int64_t rows, T* q) {
  std::int64_t const panel = reflector_panel;
  if (count <= 2 * panel) return apply_each_reflector(count, n, v, stride, tau, rows, q);
  for (std::int64_t from = (count - 1) / panel * panel; from >= 0; from -= panel) {
    std::int64_t const corner = from * (stride + 1);
    ReflectorBlock<T> const block((std::min)(count - from, panel), n - from, v + corner, stride,
                                  tau + from);
    block.apply(true, rows - from, q + corner, stride);
  }
}

}  // namespace tenon::internal::linalg
