#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/matmul/product_blocks.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

/// The dtypes that have a kernel; the others are multiplied by loops.
template <class T>
inline constexpr bool has_product_kernel = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <ComplexType T>
inline constexpr bool has_product_kernel<T> = has_product_kernel<typename T::value_type>;

/// Bytes of working memory, 64-byte aligned, of `product` for n columns and sums of k.
template <class T>
struct ProductScratch {
  static constexpr std::size_t bytes(std::int64_t, std::int64_t) { return 0; }
};
template <std::floating_point T>
struct ProductScratch<T> {
  static constexpr std::size_t bytes(std::int64_t n, std::int64_t k) {
    return static_cast<std::size_t>(simd::ProductBlocks<T>::elements(n, k)) * sizeof(T);
  }
};
template <ComplexType T>
struct ProductScratch<T> {
  static constexpr std::size_t bytes(std::int64_t n, std::int64_t k) {
    return ProductScratch<typename T::value_type>::bytes(2 * n, 2 * k);
  }
};

/// Whether loops are faster than packing for a kernel. (Measured: up to 4 x 4 x 4, and vectors.)
template <class T>
constexpr bool takes_loops(std::int64_t m, std::int64_t n, std::int64_t k) {
  return !has_product_kernel<T> || m == 1 || n == 1 || m * n * k <= 4 * 4 * 4;
}

template <class T>
void set_zero(std::int64_t m, std::int64_t n, StridedMatrix<T> const& c) {
  if (c.row_stride == n) return (void)std::fill_n(c.data, m * n, T{});
  for (std::int64_t i = 0; i < m; ++i) std::fill_n(&c(i, 0), n, T{});
}

/// A row-major copy of a complex matrix, or the matrix by which it acts on a row of real and
/// imaginary parts: for every element z the square {re z, im z; -im z, re z}.
template <ComplexType Z, bool squares>
class RealParts {
 public:
  using T = typename Z::value_type;
  static constexpr std::int64_t height = squares ? 2 : 1;

  RealParts(std::int64_t rows, std::int64_t columns, StridedMatrix<Z const> from)
      : buffer_(memory::bytes_of(std::array{height, rows, 2 * columns}, sizeof(T))),
        length_(2 * columns) {
    for (std::int64_t i = 0; i < rows; ++i) {
      T* const to = buffer_.as<T>() + height * i * length_;
      for (std::int64_t j = 0; j < columns; ++j) put(from(i, j), to + 2 * j);
    }
  }
  StridedMatrix<T const> matrix() const { return {buffer_.as<T const>(), length_, 1}; }

 private:
  void put(Z z, T* to) const {
    to[0] = z.real();
    to[1] = z.imag();
    if constexpr (squares) {
      to[length_] = -z.imag();
      to[length_ + 1] = z.real();
    }
  }

  SharedBuffer buffer_;
  std::int64_t length_;
};

/// A complex matmul as a real one, of m x 2k and 2k x 2n: it has the same number of
/// multiplications, and c has its final layout.
template <ComplexType Z>
void complex_product(std::int64_t m, std::int64_t n, std::int64_t k,
                     StridedMatrix<Z const> const& a, StridedMatrix<Z const> const& b,
                     StridedMatrix<Z> const& c, bool accumulate, std::byte* scratch) {
  using T = typename Z::value_type;
  RealParts<Z, false> const left(m, k, a);
  RealParts<Z, true> const right(k, n, b);
  StridedMatrix<T> const result{reinterpret_cast<T*>(c.data), 2 * c.row_stride, 1};
  simd::blocked_product<T>(m, 2 * n, 2 * k, left.matrix(), right.matrix(), result, accumulate,
                           reinterpret_cast<T*>(scratch));
}

/// c = a b, or c += a b (`accumulate`), on one thread; a is m x k, b is k x n and c is m x n with
/// contiguous rows (`column_stride` 1); a and b have any strides (zero repeats a row or column).
/// Sums are those of the definition, in a fixed order: NaN and infinity propagate as in the
/// definition, and k = 0 gives zeros. `scratch`: `ProductScratch<T>` bytes, 64-byte aligned, or
/// null for loops: a partitioned matmul decides once for all its parts (`takes_loops`), so that an
/// element has the same bits in any partitioning.
template <class T>
void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> const& a,
             StridedMatrix<T const> const& b, StridedMatrix<T> const& c, bool accumulate,
             std::byte* scratch) {
  if (m == 0 || n == 0) return;
  bool const loops = k == 0 || scratch == nullptr;
  if (loops && !accumulate) set_zero(m, n, c);
  if (k == 0) return;
  if (loops) return loop_product(m, n, k, a, b, c);
  if constexpr (std::is_floating_point_v<T>)
    simd::blocked_product(m, n, k, a, b, c, accumulate, reinterpret_cast<T*>(scratch));
  else if constexpr (has_product_kernel<T>) complex_product(m, n, k, a, b, c, accumulate, scratch);
}

/// The same, with working memory from the cache of blocks.
template <class T>
void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> const& a,
             StridedMatrix<T const> const& b, StridedMatrix<T> const& c, bool accumulate = false) {
  if (takes_loops<T>(m, n, k)) return product(m, n, k, a, b, c, accumulate, nullptr);
  SharedBuffer const scratch(ProductScratch<T>::bytes(n, k));
  product(m, n, k, a, b, c, accumulate, scratch.as<std::byte>());
}

}  // namespace tenon::internal
