#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tenon/backend/cpu/product_pack.hpp>

namespace tenon::simd {

/// How a product is cut for the caches: a block of `depth` x `columns` of the right matrix fills
/// half of a second-level cache, from where its panels stream past a panel of the left that stays
/// in the first. Fixed, not asked of the machine, so that sums are cut alike everywhere.
template <class T>
struct ProductBlocks {
  static constexpr std::int64_t depth = 384;
  static constexpr std::int64_t columns = TileShape::columns<T> * (sizeof(T) == 4 ? 8 : 7);
  static constexpr std::int64_t elements =
      RightPanels<T>::elements(columns, depth) + LeftPanel<T>::elements(depth);

  /// The depth cut into equal parts of at most `depth`.
  static constexpr std::int64_t equal_depth(std::int64_t k) {
    std::int64_t const parts = (k + depth - 1) / depth;
    return (k + parts - 1) / parts;
  }
};

/// c += (or =) the part of a tile that the result has.
template <class T>
void store_part(std::int64_t m, std::int64_t n, T const* from, StridedMatrix<T> c,
                bool accumulate) {
  for (std::int64_t i = 0; i < m; ++i, from += TileShape::columns<T>) {
    for (std::int64_t j = 0; j < n; j += width<T>) {
      auto const count = static_cast<int>(std::min<std::int64_t>(width<T>, n - j));
      Batch<T> const sum = Batch<T>::load_unaligned(from + j);
      Batch<T> const old = accumulate ? Native::load<T>(&c(i, j), count, T(0)) : Batch<T>(T(0));
      Native::store<T>(old + sum, &c(i, j), count);
    }
  }
}

template <int rows, class T>
void tile_of(std::int64_t n, std::int64_t k, TilePlace<T> const& at, bool accumulate) {
  if (n > 2 * width<T>) tile_product<rows, 3>(k, at, accumulate);
  else if (n > width<T>) tile_product<rows, 2>(k, at, accumulate);
  else tile_product<rows, 1>(k, at, accumulate);
}

/// One tile of at most `TileShape`, whole or not.
template <class T>
void any_tile(std::int64_t m, std::int64_t n, std::int64_t k, TilePlace<T> at, bool accumulate) {
  if (m == TileShape::rows && n % width<T> == 0)
    return tile_of<TileShape::rows>(n, k, at, accumulate);
  alignas(64) T part[TileShape::rows * TileShape::columns<T>];
  StridedMatrix<T> const c{at.c, at.c_row, 1};
  at.c = part;
  at.c_row = TileShape::columns<T>;
  tile_of<TileShape::rows>(n, k, at, false);
  store_part<T>(m, n, part, c, accumulate);
}

/// One block: a is m x k, b k x n with packed panels or, where `b_row` is not 0, as it is.
template <class T>
void block_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                   T const* panels, StridedMatrix<T> c, bool accumulate, T* scratch) {
  constexpr std::int64_t rows = TileShape::rows, columns = TileShape::columns<T>;
  for (std::int64_t i = 0; i < m; i += rows) {
    std::int64_t const height = std::min(rows, m - i);
    StridedMatrix<T const> const part{&a(i, 0), a.row_stride, a.column_stride};
    auto const left = height == rows && n <= 2 * columns
                          ? LeftPanel<T>{part.data, a.row_stride, a.column_stride}
                          : LeftPanel<T>::pack(height, k, part, scratch);
    for (std::int64_t j = 0; j < n; j += columns) {
      std::int64_t const length = std::min(columns, n - j);
      TilePlace<T> const at{
          left.data, left.row,    left.column, panels + j * k, RightPanels<T>::whole(length),
          &c(i, j),  c.row_stride};
      any_tile(height, length, k, at, accumulate);
    }
  }
}

/// c = a b, or c += a b, on one thread; any strides of a and b. `scratch`: `elements` of T, 64-byte
/// aligned.
template <class T>
void blocked_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                     StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate, T* scratch) {
  using Blocks = ProductBlocks<T>;
  std::int64_t const depth = Blocks::equal_depth(k);
  T* const left = scratch + RightPanels<T>::elements(Blocks::columns, Blocks::depth);
  for (std::int64_t j = 0; j < n; j += Blocks::columns) {
    std::int64_t const columns = std::min(Blocks::columns, n - j);
    for (std::int64_t p = 0; p < k; p += depth) {
      std::int64_t const here = std::min(depth, k - p);
      RightPanels<T>::pack(columns, here, {&b(p, j), b.row_stride, b.column_stride}, scratch);
      block_product<T>(m, columns, here, {&a(0, p), a.row_stride, a.column_stride}, scratch,
                       {&c(0, j), c.row_stride, 1}, accumulate || p > 0, left);
    }
  }
}

}  // namespace tenon::simd
