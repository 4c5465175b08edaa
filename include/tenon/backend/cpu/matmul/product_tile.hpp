#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/simd/lanes_machine.hpp>
#include <tenon/backend/cpu/simd/transpose.hpp>

/// The innermost part of a matmul: a tile of the result in registers.
namespace tenon::internal::simd {

/// The size of a tile. Every step of a sum loads `vectors` registers of the right matrix and
/// broadcasts `rows` elements of the left for rows * vectors multiply-adds. With 32 registers of
/// 512 bits that is 8 x 3 sums, three registers of the right matrix and one broadcast: 11 loads for
/// 24 multiply-adds. It reaches 97 % of the machine's rate, as 14 x 2 does, and powers of two
/// divide the usual numbers of rows. With 16 registers, 4 x 3 needs 7 loads for 12.
struct TileShape {
  static constexpr int rows = sizeof(Batch<float>) == 64 ? 8 : 4;
  static constexpr int vectors = 3;
  template <class T>
  static constexpr int columns = vectors * width<T>;
};

/// Prefetches memory needed after a tile: at every step a cache line of one of eight rows in turn.
/// Addresses may be past the end. (48 matmuls of 256 x 256 and 256 x 64, 12 MB on the left: 1.45
/// times as fast; 512 x 128 x 2048 with a transposed left: 1.13 times; in cache the same.)
template <class T>
struct Ahead {
  std::uintptr_t from = 0;
  std::int64_t row = 0, column = 0;  ///< In bytes; a column is one of eight.

  Ahead() = default;
  /// The memory that begins `elements` elements after `data`.
  Ahead(T const* data, std::int64_t elements, std::int64_t row_stride, std::int64_t column_stride)
      : from(reinterpret_cast<std::uintptr_t>(data) + bytes(elements)),
        row(row_stride * std::int64_t{sizeof(T)}),
        column(8 * column_stride * std::int64_t{sizeof(T)}) {}

  TENON_INLINE void ask(std::int64_t step) const {
    if constexpr (sizeof(Batch<float>) < 32) return;  // a step is too short: a tenth slower
    auto const offset = static_cast<std::uintptr_t>((step & 7) * row + (step >> 3) * column);
    __builtin_prefetch(reinterpret_cast<void const*>(from + offset), 0, 2);
  }

 private:
  static std::uintptr_t bytes(std::int64_t elements) {
    return static_cast<std::uintptr_t>(elements) * sizeof(T);
  }
};

/// The addresses and strides of a tile's matrices, in elements. The rows of b are full registers. A
/// tile that packs stores its part of b at `copy`, row by row.
template <class T>
struct TilePlace {
  T const* a;
  std::int64_t a_row, a_column;
  T const* b;
  std::int64_t b_row;
  T* c;
  std::int64_t c_row;
  Ahead<T> ahead{};
  T* copy = nullptr;
};

/// The registers of a row of b, and of a tile.
template <class T, int vectors>
using RowRegisters = Batch<T>[std::size_t{vectors}];
template <class T, int rows, int vectors>
using TileRegisters = Batch<T>[std::size_t{rows}][std::size_t{vectors}];

/// Keeps loaded registers: g++ 12 would read them from memory again in each multiply-add, which
/// exceeds two loads a cycle. (Products of 256 rows with AVX2, Zen 2: from 0.61 to 0.81 of the rate
/// of multiply-adds. Registers of 512 bits are kept anyway.)
template <class T, int vectors>
TENON_INLINE inline void keep([[maybe_unused]] RowRegisters<T, vectors>& row) {
#if defined(__x86_64__)
  if constexpr (requires { row[0].all; } && sizeof(Batch<T>) < 64) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) asm("" : "+x"(row[v].all));
  }
#endif
}

/// Stores a row of b after the previous one, and prefetches a later one: distant rows are on
/// separate pages, which hardware prefetchers do not cross.
template <int vectors, class T>
TENON_INLINE inline void lay_down(RowRegisters<T, vectors> const& row, T const* from,
                                  std::int64_t stride, T*& to) {
  constexpr int ahead = 12;
  auto const later = reinterpret_cast<std::uintptr_t>(from) +
                     static_cast<std::uintptr_t>(ahead * stride) * sizeof(T);
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) {
    auto const line = later + static_cast<std::size_t>(v) * sizeof(Batch<T>);
    row[v].store_unaligned(to + v * width<T>);
    __builtin_prefetch(reinterpret_cast<void const*>(line));
  }
  to += vectors * width<T>;
}

/// The sums of a tile. Each is a chain of fused multiply-adds in the order of k, so that an element
/// has the same bits at every position in a tile. (The left matrix is addressed by two pointers:
/// rows 0 to 3 of each are addressed by one register and an index, times 1 or 2.)
template <int rows, int vectors, bool copies, class T>
TENON_INLINE inline void add_products(TileRegisters<T, rows, vectors>& sum, std::int64_t k,
                                      TilePlace<T> const& at) {
  constexpr int half = (rows + 1) / 2;
  T const *low = at.a, *high = low + half * at.a_row, *b = at.b;
  T* copy = at.copy;
  for (std::int64_t p = 0; p < k; ++p) {
    RowRegisters<T, vectors> right;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) right[v] = Batch<T>::load_unaligned(b + v * width<T>);
    keep<T, vectors>(right);
    if constexpr (copies) lay_down<vectors>(right, b, at.b_row, copy);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      Batch<T> const left(*(i < half ? low + i * at.a_row : high + (i - half) * at.a_row));
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[i][v] = Native::fma(left, right[v], sum[i][v]);
    }
    at.ahead.ask(p);
    low += at.a_column;
    high += at.a_column;
    b += at.b_row;
  }
}

/// Initial values of a tile that overwrites: one loop serves both cases.
template <class T>
alignas(64) inline constexpr T zeros[TileShape::columns<T>] = {};

/// Prefetches the part of c to which a tile will add.
template <class T, int rows, int vectors>
TENON_INLINE inline void prefetch(TilePlace<T> const& at) {
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) __builtin_prefetch(at.c + i * at.c_row + v * width<T>, 1);
  }
}

/// c = a b, or c += a b.
template <int rows, int vectors, bool copies = false, class T>
void tile_product(std::int64_t k, TilePlace<T> const& at, bool accumulate) {
  T const* const before = accumulate ? at.c : zeros<T>;
  std::int64_t const before_row = accumulate ? at.c_row : 0;
  TileRegisters<T, rows, vectors> sum;
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sum[i][v] = Batch<T>(T(0));
  }
  prefetch<T, rows, vectors>(at);
  add_products<rows, vectors, copies>(sum, k, at);
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      auto const old = Batch<T>::load_unaligned(before + i * before_row + v * width<T>);
      (old + sum[i][v]).store_unaligned(at.c + i * at.c_row + v * width<T>);
    }
  }
}

}  // namespace tenon::internal::simd

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
