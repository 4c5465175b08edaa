#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tenon/backend/cpu/matmul/product_tile.hpp>
#include <tenon/backend/cpu/simd/lanes_even.hpp>

namespace tenon::internal::simd {

/// Cache blocking: a block of `depth` x `columns` of the right matrix is read by one row of tiles
/// after the other. A tile reads 192 bytes of it for 24 multiply-adds. At one per cycle (Zen 4) the
/// prefetcher sustains these 8 bytes per cycle from any cache: blocks of 12 MB ran at 98 % of peak.
/// At two per cycle (Sapphire Rapids) 16 bytes are sustained from the L2 cache (95 %) but not from
/// the L3 (50 %). So a block is 768 KB, which fits into 1 MB of L2 (Zen 4) and 2 MB (Sapphire
/// Rapids). Fixed, so that the order of sums is the same on all machines.
template <class T>
struct ProductBlocks {
  static constexpr std::int64_t depth = 512;
  static constexpr std::int64_t columns = TileShape::columns<T> * 8;

  /// Scratch memory for n columns and sums of k terms.
  static constexpr std::int64_t right_elements(std::int64_t n, std::int64_t k) {
    return RightPanels<T>::elements((std::min)(columns, n), (std::min)(depth, k));
  }
  static constexpr std::int64_t elements(std::int64_t n, std::int64_t k) {
    return right_elements(n, k) + LeftPanel<T>::elements((std::min)(depth, k));
  }

  /// Equal parts, of at most `depth` or `columns`.
  static constexpr std::int64_t equal_depth(std::int64_t k) {
    std::int64_t const parts = (k + depth - 1) / depth;
    return (k + parts - 1) / parts;
  }
  static constexpr std::int64_t equal_columns(std::int64_t n) {
    constexpr std::int64_t panel = TileShape::columns<T>;
    std::int64_t const parts = (n + columns - 1) / columns;
    return ((n + parts - 1) / parts + panel - 1) / panel * panel;
  }

  /// True if the right matrix is read without packing. Packing costs as much as a few rows of the
  /// matmul; but distant rows are on separate pages, and map to few cache sets. (Fractions of peak,
  /// in place and packed, Sapphire Rapids: 128^3: .83, .85; 256^3: .69, .89; 512^3: .70, .83.)
  static constexpr bool reads_in_place(std::int64_t m, std::int64_t n, std::int64_t k) {
    return m < 48 || n * k <= 64 * 64;
  }
};

/// c += (or =) the part of a tile that is inside the result.
template <class T>
void store_part(std::int64_t m, std::int64_t n, T const* from, StridedMatrix<T> c,
                bool accumulate) {
  for (std::int64_t i = 0; i < m; ++i, from += TileShape::columns<T>) {
    for (std::int64_t j = 0; j < n; j += width<T>) {
      auto const count = static_cast<int>(std::min<std::int64_t>(width<T>, n - j));
      Batch<T> const sum = Batch<T>::load_unaligned(from + j);
      store_first(accumulate ? load_first(&c(i, j), count) + sum : sum, &c(i, j), count);
    }
  }
}

template <int rows, bool copies = false, class T>
void multiply_tile(std::int64_t n, std::int64_t k, TilePlace<T> const& at, bool accumulate) {
  if (n > 2 * width<T>) tile_product<rows, 3, copies>(k, at, accumulate);
  else if (n > width<T>) tile_product<rows, 2, copies>(k, at, accumulate);
  else tile_product<rows, 1, copies>(k, at, accumulate);
}

/// If few rows remain, they use a half tile.
inline constexpr int half_tile = TileShape::rows / 2;

template <class T>
void multiply_tile(std::int64_t m, std::int64_t n, std::int64_t k, TilePlace<T> const& at,
                   bool accumulate) {
  if (m > half_tile) multiply_tile<TileShape::rows>(n, k, at, accumulate);
  else multiply_tile<half_tile>(n, k, at, accumulate);
}

/// One tile of at most `TileShape`, complete or not.
template <class T>
[[gnu::noinline]] void any_tile(std::int64_t m, std::int64_t n, std::int64_t k, TilePlace<T> at,
                                bool accumulate) {
  if (m % half_tile == 0 && n % width<T> == 0) return multiply_tile(m, n, k, at, accumulate);
  alignas(64) T part[TileShape::rows * TileShape::columns<T>];
  StridedMatrix<T> const c{at.c, at.c_row, 1};
  at.c = part;
  at.c_row = TileShape::columns<T>;
  multiply_tile(m, n, k, at, false);
  store_part<T>(m, n, part, c, accumulate);
}

/// A block of the right matrix: packed, or in place except for columns that fill no register.
template <class T>
class RightBlock {
 public:
  RightBlock(std::int64_t k, T const* packed) : packed_(packed), first_packed_(0), k_(k) {}
  RightBlock(std::int64_t n, std::int64_t k, StridedMatrix<T const> from, T* scratch)
      : from_(from), packed_(scratch), first_packed_(RightPanels<T>::last(n)), k_(k) {
    if (first_packed_ < n)
      RightPanels<T>::pack(n - first_packed_, k, from_.from(0, first_packed_), scratch);
  }

  /// Sets the address from which a tile reads n columns from column j on.
  void place(TilePlace<T>& at, std::int64_t j, std::int64_t n) const {
    bool const packed = j >= first_packed_;
    at.b = packed ? packed_ + (j - first_packed_) * k_ : &from_(0, j);
    at.b_row = packed ? RightPanels<T>::whole(n) : from_.row_stride;
  }

 private:
  StridedMatrix<T const> from_;
  T const* packed_;
  std::int64_t first_packed_, k_;
};

/// Rows of the left matrix for a tile: in place if the summed axis is contiguous, or if they are
/// read only a few times. Rows a multiple of 4 KB apart map to a single set of the L1 cache. (With
/// AVX2, of a Zen 2: products of 1024 rows from 0.60 to 0.78 of the rate of multiply-adds.)
template <class T>
LeftPanel<T> left_panel(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> from,
                        T* scratch) {
  bool const few = n <= 2 * TileShape::columns<T>;
  bool const spread = sizeof(Batch<T>) == 64 || from.row_stride * std::int64_t{sizeof(T)} % 4096;
  bool const in_place = (from.column_stride == 1 && spread) || few;
  if (in_place && m % half_tile == 0) return {from.data, from.row_stride, from.column_stride};
  return LeftPanel<T>::pack(m, k, from, scratch);
}

/// The rows after those of a tile, in memory order, for prefetching.
template <class T>
Ahead<T> panel_ahead(StridedMatrix<T const> rows) {
  auto const row = rows.row_stride, column = rows.column_stride;
  if (column == 1) return {rows.data, TileShape::rows * row, row, 1};
  return {rows.data, TileShape::rows * row, column, column};
}

/// Some rows of the left matrix with all columns of a block.
template <class T>
[[gnu::noinline]] void panel_product(std::int64_t m, std::int64_t n, std::int64_t k,
                                     LeftPanel<T> const& left, Ahead<T> const& ahead,
                                     RightBlock<T> const& b, StridedMatrix<T> c, bool accumulate) {
  for (std::int64_t j = 0, length; j < n; j += length) {
    length = RightPanels<T>::next(n - j);
    TilePlace<T> at{left.data, left.row, left.column, nullptr, 0, &c(0, j), c.row_stride, ahead};
    b.place(at, j, length);
    any_tile(m, length, k, at, accumulate);
  }
}

/// The first rows of tiles, if the summed axis of the left matrix is contiguous and the right block
/// has contiguous rows: they also pack the block for later tiles, so that arithmetic overlaps with
/// memory access.
template <class T>
[[gnu::noinline]] void packing_product(std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                                       StridedMatrix<T const> b, StridedMatrix<T> c,
                                       bool accumulate, T* packed) {
  std::int64_t const whole = RightPanels<T>::last(n);
  auto const ahead = panel_ahead(a);
  for (std::int64_t j = 0, length; j < whole; j += length) {
    length = RightPanels<T>::next(n - j);
    multiply_tile<TileShape::rows, true>(
        length, k,
        TilePlace<T>{a.data, a.row_stride, 1, &b(0, j), b.row_stride, &c(0, j), c.row_stride, ahead,
                     packed + j * k},
        accumulate);
  }
  if (whole == n) return;
  T* const rest = packed + whole * k;
  RightPanels<T>::pack(n - whole, k, b.from(0, whole), rest);
  panel_product<T>(TileShape::rows, n - whole, k, {a.data, a.row_stride, 1}, ahead,
                   RightBlock<T>(k, rest), c.from(0, whole), accumulate);
}

/// Whether the first rows of a matmul can pack its right matrix.
template <class T>
bool packs_on_the_way(std::int64_t m, StridedMatrix<T const> a, StridedMatrix<T const> b) {
  return m >= TileShape::rows && a.column_stride == 1 && b.column_stride == 1;
}

/// Packs a block of the right matrix; returns how many rows of the result that has computed.
template <class T>
std::int64_t pack_right(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                        StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate, T* packed) {
  if (packs_on_the_way<T>(m, a, b)) {
    packing_product<T>(n, k, a, b, c, accumulate, packed);
    return TileShape::rows;
  }
  RightPanels<T>::pack(n, k, b, packed);
  return 0;
}

/// One block: a is m x k, b k x n.
template <class T>
void block_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                   RightBlock<T> const& b, StridedMatrix<T> c, bool accumulate, T* scratch) {
  for (std::int64_t i = 0; i < m; i += TileShape::rows) {
    std::int64_t const height = std::min<std::int64_t>(TileShape::rows, m - i);
    auto const left = left_panel<T>(height, n, k, a.from(i, 0), scratch);
    panel_product(height, n, k, left, panel_ahead(a.from(i, 0)), b, c.from(i, 0), accumulate);
  }
}

/// c = a b, or c += a b, on one thread; any strides of a and b. `scratch`: `elements(n, k)` of T,
/// 64-byte aligned.
template <class T>
void blocked_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                     StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate, T* scratch) {
  using Blocks = ProductBlocks<T>;
  std::int64_t const depth = Blocks::equal_depth(k);
  bool const in_place = b.column_stride == 1 && Blocks::reads_in_place(m, n, k);
  T* const left = scratch + Blocks::right_elements(n, k);
  for (std::int64_t j = 0; j < n; j += Blocks::columns) {
    std::int64_t const columns = (std::min)(Blocks::columns, n - j);
    for (std::int64_t p = 0; p < k; p += depth) {
      std::int64_t const here = (std::min)(depth, k - p);
      bool const adds = accumulate || p > 0;
      auto const part = b.from(p, j);
      std::int64_t const done = in_place ? 0
                                         : pack_right<T>(m, columns, here, a.from(0, p), part,
                                                         c.from(0, j), adds, scratch);
      auto const right =
          in_place ? RightBlock<T>(columns, here, part, scratch) : RightBlock<T>(here, scratch);
      block_product<T>(m - done, columns, here, a.from(done, p), right, c.from(done, j), adds,
                       left);
    }
  }
}

}  // namespace tenon::internal::simd
