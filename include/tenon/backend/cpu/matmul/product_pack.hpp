#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/matmul/product_tile.hpp>
#include <tenon/backend/cpu/simd/transpose.hpp>

/// Copies of the operands of tiles in the order in which they are read: without gaps, and without
/// strides that map to a single set of the cache.
namespace tenon::internal::simd {

/// A panel of `TileShape::rows` rows of the left matrix; missing rows are zero.
template <class T>
struct LeftPanel {
  static constexpr int rows = TileShape::rows;
  static constexpr std::int64_t elements(std::int64_t k) { return rows * (k + width<T>); }

  T const* data;
  std::int64_t row, column;

  /// A row-major matrix by its rows, any other one column by column: the tile supports both.
  static LeftPanel pack(std::int64_t m, std::int64_t k, StridedMatrix<T const> from, T* to) {
    if (from.column_stride == 1) return pack_rows(m, k, from, to);
    for (std::int64_t p = 0; p < k; ++p, to += rows) {
      T const* const column = &from(0, p);
      if (from.row_stride == 1 && m == rows) std::memcpy(to, column, rows * sizeof(T));
      else
        for (int i = 0; i < rows; ++i) to[i] = i < m ? column[i * from.row_stride] : T(0);
    }
    return {to - k * rows, 1, rows};
  }

 private:
  static LeftPanel pack_rows(std::int64_t m, std::int64_t k, StridedMatrix<T const> from, T* to) {
    std::int64_t const length = k + width<T>;  // of a row: odd multiples of a register
    for (std::int64_t i = 0; i < m; ++i)
      std::memcpy(to + i * length, &from(i, 0), static_cast<std::size_t>(k) * sizeof(T));
    std::fill(to + m * length, to + rows * length, T(0));
    return {to, length, 1};
  }
};

/// Rows of the right matrix cut into panels of `TileShape::columns`, each k x columns; the columns
/// of the last one are filled up to whole registers with zeros.
template <class T>
struct RightPanels {
  static constexpr std::int64_t columns = TileShape::columns<T>;
  static constexpr std::int64_t whole(std::int64_t n) {
    return (n + width<T> - 1) / width<T> * width<T>;
  }
  static constexpr std::int64_t elements(std::int64_t n, std::int64_t k) { return whole(n) * k; }

  /// The columns of the next panel if `left` columns remain. Four registers are divided into two
  /// panels: a tile of one register would wait for loads.
  static constexpr std::int64_t next(std::int64_t left) {
    bool const halves = left > columns && left <= columns + width<T>;
    return halves ? 2 * width<T> : (std::min)(columns, left);
  }
  /// The first column of the panel whose last register is not full; n if there is none.
  static constexpr std::int64_t last(std::int64_t n) {
    std::int64_t j = n % width<T> == 0 ? n : n / columns * columns;
    if (j > 0 && j < n && n - j <= width<T>) j -= columns - 2 * width<T>;
    return j;
  }

  static void pack(std::int64_t n, std::int64_t k, StridedMatrix<T const> from, T* to) {
    for (std::int64_t j = 0, here; j < n; j += here, to += here * k) {
      here = next(n - j);
      if (from.column_stride == 1) pack_rows(here, k, from.from(0, j), to);
      else pack_columns(here, k, from.from(0, j), to);
    }
  }

 private:
  static void pack_rows(std::int64_t n, std::int64_t k, StridedMatrix<T const> from, T* to) {
    std::int64_t const length = whole(n);
    for (std::int64_t p = 0; p < k; ++p, to += length) {
      for (std::int64_t j = 0; j < n; j += width<T>) {
        auto const count = static_cast<int>(n - j);
        (count >= width<T> ? Batch<T>::load_unaligned(&from(p, j))
                           : Native::load<T>(&from(p, j), count, T(0)))
            .store_unaligned(to + j);
      }
    }
  }

  static void pack_columns(std::int64_t n, std::int64_t k, StridedMatrix<T const> from, T* to) {
    std::int64_t const length = whole(n);
    for (std::int64_t j = 0; j < length; j += width<T>) {
      for (std::int64_t p = 0; p < k; p += width<T>) {
        auto const m = std::min<std::int64_t>(width<T>, n - j);
        auto const here = std::min<std::int64_t>(width<T>, k - p);
        transpose_square(m, here, from.from(p, j).transposed(), to + p * length + j, length);
      }
    }
  }
};

}  // namespace tenon::internal::simd
