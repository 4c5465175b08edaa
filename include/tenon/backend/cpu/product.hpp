#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/backend/cpu/eigen.hpp>
#include <tenon/backend/cpu/matrix.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon {

/// The dtypes that have a kernel; the others are multiplied by loops.
template <class T>
inline constexpr bool has_product_kernel =
    std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// Bytes of working memory, 64-byte aligned, that `product` wants.
template <class T>
inline constexpr std::size_t product_scratch = 0;
template <class T>
  requires has_product_kernel<T>
inline constexpr std::size_t product_scratch<T> = ProductPanels<T>::bytes;

template <class T>
constexpr bool has_unit_stride(StridedMatrix<T> matrix) {
  return matrix.row_stride == 1 || matrix.column_stride == 1;
}

/// A row-major copy of a matrix that has no unit stride.
template <class T>
class Packed {
 public:
  Packed(std::int64_t rows, std::int64_t columns, StridedMatrix<T const> from)
      : buffer_(memory::bytes_of(std::array{rows, columns}, sizeof(T))), columns_(columns) {
    T* to = buffer_.as<T>();
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) *to++ = from(i, j);
    }
  }
  StridedMatrix<T const> matrix() const { return {buffer_.as<T const>(), columns_, 1}; }

 private:
  Buffer buffer_;
  std::int64_t columns_;
};

/// Are loops faster than packing for a kernel? (Measured: up to 4 x 4 x 4, and vectors.)
template <class T>
constexpr bool takes_loops(std::int64_t m, std::int64_t n, std::int64_t k) {
  return !has_product_kernel<T> || m == 1 || n == 1 || m * n * k <= 4 * 4 * 4;
}

/// c += a b by the kernel: each of a and b has a unit stride.
template <class T>
void kernel_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                    StridedMatrix<T const> b, StridedMatrix<T> c, std::byte* scratch) {
  auto const run = [&](auto const kernel, std::int64_t a_stride, std::int64_t b_stride) {
    kernel(m, n, k, a.data, a_stride, b.data, b_stride, c.data, c.row_stride, scratch);
  };
  bool const a_rows = a.column_stride == 1, b_rows = b.column_stride == 1;
  if (a_rows && b_rows) return run(eigen_product<true, true, T>, a.row_stride, b.row_stride);
  if (a_rows) return run(eigen_product<true, false, T>, a.row_stride, b.column_stride);
  if (b_rows) return run(eigen_product<false, true, T>, a.column_stride, b.row_stride);
  run(eigen_product<false, false, T>, a.column_stride, b.column_stride);
}

template <class T>
void set_zero(std::int64_t m, std::int64_t n, StridedMatrix<T> c) {
  for (std::int64_t i = 0; i < m; ++i) std::fill_n(&c(i, 0), n, T{});
}

/// c = a b, or c += a b (`accumulate`), on one thread; a is m x k, b is k x n and c is m x n with
/// contiguous rows (`column_stride` 1). Either of a and b is row-major or column-major, with any
/// distance between rows or columns (zero repeats one); other strides are copied first. Sums are
/// those of the plain definition, in a fixed order: NaN and infinity arrive where they should, and
/// k = 0 gives zeros. `scratch`: `product_scratch<T>` bytes at a multiple of 64.
template <class T>
void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
             StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate,
             [[maybe_unused]] std::byte* scratch) {
  if (m == 0 || n == 0) return;
  if (!accumulate) set_zero(m, n, c);
  if (k == 0) return;
  if (takes_loops<T>(m, n, k)) return loop_product(m, n, k, a, b, c);
  if constexpr (has_product_kernel<T>) {
    if (!has_unit_stride(a)) return product(m, n, k, Packed(m, k, a).matrix(), b, c, true, scratch);
    if (!has_unit_stride(b)) return product(m, n, k, a, Packed(k, n, b).matrix(), c, true, scratch);
    kernel_product(m, n, k, a, b, c, scratch);
  }
}

/// The same, with working memory from the cache of blocks.
template <class T>
void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
             StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate = false) {
  Buffer const scratch(takes_loops<T>(m, n, k) ? 0 : product_scratch<T>);
  product(m, n, k, a, b, c, accumulate, scratch.as<std::byte>());
}

}  // namespace tenon
