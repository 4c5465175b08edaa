#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tenon/backend/cpu/matmul/product_tile.hpp>
#include <tenon/backend/cpu/matmul/products.hpp>
#include <tenon/backend/cpu/simd/lanes_even.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/eval/contract/product.hpp>

/// Direct contractions: the windows of a depthwise convolution are read in place, and multiplied by
/// vectors along a row of the result or along a sum.
namespace tenon::internal::simd {

/// A row of a direct contraction, and some of its terms.
template <class T>
struct DirectRow {
  T const *a, *b;
  T* c;
  DirectProduct const& product;
  DirectTerm const *first, *last;
  bool accumulate;
  std::int64_t count = 1;  ///< The number of rows of a tile from here on.

  std::int64_t columns() const { return product.column.extent; }

  /// The row `i` steps of a label further on.
  DirectRow next(LoopLabel const& along, std::int64_t i) const {
    DirectRow row = *this;
    row.a += i * along.a, row.b += i * along.b, row.c += i * along.c;
    return row;
  }
};

/// A step known to the compiler, or any.
inline constexpr std::int64_t any_step = -1;
template <std::int64_t step>
constexpr std::int64_t known_step(std::int64_t other) {
  return step == any_step ? other : step;
}

/// The rows of a tile: with four vectors of columns each, of one operand a load for each of them
/// and of the other one for all rows.
inline constexpr int rows_of_tile = 4;

/// The operands of the rows of a tile. Of fewer rows than `rows` the last is repeated.
template <int rows, std::int64_t a_step, std::int64_t b_step, class T>
struct DirectTile {
  T const *a[std::size_t{rows}], *b[std::size_t{rows}];
  LoopLabel const& column;

  TENON_INLINE explicit DirectTile(DirectRow<T> const& first) : column(first.product.column) {
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      std::int64_t const number = std::min<std::int64_t>(r, first.count - 1);
      DirectRow<T> const row = first.next(first.product.tile(), number);
      a[r] = row.a, b[r] = row.b;
    }
  }
  TENON_INLINE Batch<T> left(int r, DirectTerm const& term, std::int64_t at, int count) const {
    std::int64_t const step = known_step<a_step>(column.a);
    return load_steps(a[r] + (term.a + at * step), step, count);
  }
  TENON_INLINE Batch<T> right(int r, DirectTerm const& term, std::int64_t at, int count) const {
    std::int64_t const step = known_step<b_step>(column.b);
    return load_steps(b[r] + (term.b + at * step), step, count);
  }
};

/// Adds the products of all terms to sums of columns, from `at[0]` on and so forth. The rows of a
/// tile have the columns of the left operand in common, or, where the right one has columns, those.
template <int rows, int vectors, std::int64_t a_step, std::int64_t b_step, class T>
TENON_INLINE inline void add_terms(TileRegisters<T, rows, vectors>& sum, DirectRow<T> const& row,
                                   std::int64_t const (&at)[std::size_t{vectors}], int count) {
  constexpr bool shares_left = b_step == 0;
  DirectTile<rows, a_step, b_step, T> const tile(row);
  for (DirectTerm const* term = row.first; term != row.last; ++term) {
    RowRegisters<T, vectors> shared;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      shared[v] =
          shares_left ? tile.left(0, *term, at[v], count) : tile.right(0, *term, at[v], count);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        sum[r][v] = Native::fma(
            shared[v],
            shares_left ? tile.right(r, *term, at[v], count) : tile.left(r, *term, at[v], count),
            sum[r][v]);
  }
}

/// Stores the sums of the columns of one row, or adds them.
template <int vectors, class T>
TENON_INLINE inline void store_columns(RowRegisters<T, vectors> const& sum, T* c,
                                       std::int64_t const (&at)[std::size_t{vectors}], int count,
                                       bool accumulate) {
  RowRegisters<T, vectors> old;
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v)
    old[v] = accumulate ? load_steps(c + at[v], 1, count) : Batch<T>(T(0));
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v) store_first(old[v] + sum[v], c + at[v], count);
}

/// Columns of a row as sums of all terms; of a single vector at most `columns`. Each is a chain in
/// the order of the terms, so that its bits do not depend on its place. Of fewer rows than `rows`
/// the last is computed again.
template <int rows, int vectors, std::int64_t a_step, std::int64_t b_step, class T>
void sum_columns(DirectRow<T> const& row, std::int64_t const (&at)[std::size_t{vectors}],
                 int columns) {
  int const count = vectors > 1 ? width<T> : columns;
  TileRegisters<T, rows, vectors> sum;
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sum[r][v] = Batch<T>(T(0));
  add_terms<rows, vectors, a_step, b_step>(sum, row, at, count);
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
    if (r < row.count)
      store_columns<vectors>(sum[r], row.c + r * row.product.tile().c, at, count, row.accumulate);
}

/// Up to four full vectors from column `j` on; those at the end overlap.
template <int rows, int vectors, std::int64_t a_step, std::int64_t b_step, class T>
void sum_full(DirectRow<T> const& row, std::int64_t j) {
  std::int64_t at[std::size_t{vectors}];
  for (int v = 0; v < vectors; ++v) at[v] = (std::min)(j + v * width<T>, row.columns() - width<T>);
  sum_columns<rows, vectors, a_step, b_step>(row, at, width<T>);
}

template <int rows, std::int64_t a_step, std::int64_t b_step, class T>
void sum_vectors(DirectRow<T> const& row, std::int64_t j, std::int64_t vectors) {
  if (vectors == 4) sum_full<rows, 4, a_step, b_step>(row, j);
  else if (vectors == 3) sum_full<rows, 3, a_step, b_step>(row, j);
  else if (vectors == 2) sum_full<rows, 2, a_step, b_step>(row, j);
  else sum_full<rows, 1, a_step, b_step>(row, j);
}

/// All columns of a row. The last vector overlaps the one before, unless it adds to the result.
template <int rows, std::int64_t a_step, std::int64_t b_step, class T>
void sum_row(DirectRow<T> const& row) {
  constexpr std::int64_t whole = width<T>;
  std::int64_t const n = row.columns();
  bool const overlaps = n >= whole && !row.accumulate;
  for (std::int64_t j = 0, vectors; j < n; j += vectors * whole) {
    std::int64_t const left = n - j;
    vectors = std::min<std::int64_t>(4, (overlaps ? left + whole - 1 : left) / whole);
    if (vectors == 0) return sum_columns<rows, 1, a_step, b_step>(row, {j}, static_cast<int>(left));
    sum_vectors<rows, a_step, b_step>(row, j, vectors);
  }
}

/// The function for the steps of the columns.
template <class T>
auto sum_of(DirectProduct const& product) {
  LoopLabel const& column = product.column;
  if (product.tile().extent > 1 && column.b == 1) return &sum_row<rows_of_tile, 1, 1, T>;
  if (product.tile().extent > 1)
    return column.a == 1 ? &sum_row<rows_of_tile, 1, 0, T> : &sum_row<rows_of_tile, 2, 0, T>;
  if (column.a == 1 && column.b == 0) return &sum_row<1, 1, 0, T>;
  if (column.a == 2 && column.b == 0) return &sum_row<1, 2, 0, T>;
  if (column.a == 1 && column.b == 1) return &sum_row<1, 1, 1, T>;
  return &sum_row<1, any_step, any_step, T>;
}

/// Some neighbouring elements of a row as dot products, summed over all terms.
template <int elements, std::int64_t a_step, std::int64_t b_step, class T>
void sum_dots(DirectRow<T> const& row, std::int64_t j) {
  LoopLabel const &column = row.product.column, &dot = row.product.dot;
  std::int64_t const a = known_step<a_step>(dot.a), b = known_step<b_step>(dot.b);
  Batch<T> sum[std::size_t{elements}];
  for (int e = 0; e < elements; ++e) sum[e] = Batch<T>(T(0));
  for (DirectTerm const* term = row.first; term != row.last; ++term) {
    T const* const left = row.a + (term->a + j * column.a);
    T const* const right = row.b + (term->b + j * column.b);
    for (std::int64_t i = 0; i < dot.extent; i += width<T>) {
      auto const count = static_cast<int>(std::min<std::int64_t>(width<T>, dot.extent - i));
#pragma GCC unroll 4
      for (int e = 0; e < elements; ++e)
        sum[e] = Native::fma(load_steps(left + (e * column.a + i * a), a, count),
                             load_steps(right + (e * column.b + i * b), b, count), sum[e]);
    }
  }
  for (int e = 0; e < elements; ++e) {
    T lanes[width<T>], total = row.accumulate ? row.c[j + e] : T(0);
    sum[e].store_unaligned(lanes);
    for (T const lane : lanes) total += lane;
    row.c[j + e] = total;
  }
}

/// All elements of a row as dot products.
template <std::int64_t a_step, std::int64_t b_step, class T>
void dot_row(DirectRow<T> const& row) {
  std::int64_t const n = row.columns();
  std::int64_t j = 0;
  for (; n - j >= 4; j += 4) sum_dots<4, a_step, b_step>(row, j);
  if (n - j == 3) sum_dots<3, a_step, b_step>(row, j);
  else if (n - j == 2) sum_dots<2, a_step, b_step>(row, j);
  else if (n - j == 1) sum_dots<1, a_step, b_step>(row, j);
}

template <class T>
auto dot_of(DirectProduct const& product) {
  bool const contiguous = product.dot.a == 1 && product.dot.b == 1;
  return contiguous ? &dot_row<1, 1, T> : &dot_row<any_step, any_step, T>;
}

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// A part of a direct contraction.
template <class T>
struct DirectPart {
  using Row = simd::DirectRow<T>;
  MatrixProduct<T> matrix;
  DirectProduct const& product;

  /// Rows of sums or dot products: so many terms at a time that their operands stay in the cache.
  void sum(void (*row)(Row const&)) const {
    constexpr std::int64_t depth = 512;
    std::int64_t const at_once = product.dot.extent == 1 ? depth : product.terms;
    for (std::int64_t first = 0; first < product.terms; first += at_once) {
      std::int64_t const last = (std::min)(product.terms, first + at_once);
      rows({matrix.a, matrix.b, matrix.c, product, product.term(first), product.term(last),
            matrix.accumulate || first > 0},
           row);
    }
  }

 private:
  void rows(Row const& first, void (*row)(Row const&)) const {
    LoopLabel const &tile = product.tile(), &other = product.beside_tile();
    for (std::int64_t i = 0; i < other.extent; ++i)
      for (std::int64_t j = 0; j < tile.extent; j += simd::rows_of_tile) {
        Row here = first.next(other, i).next(tile, j);
        here.count = std::min<std::int64_t>(simd::rows_of_tile, tile.extent - j);
        row(here);
      }
  }
};

/// The parts of a direct contraction, several per thread.
template <class T>
void CpuProducts<T>::multiply_direct(ProductPlan<T> const& plan, AfterPart<T> const& after)
  requires std::floating_point<T>
{
  DirectProduct const& product = *plan.direct;
  auto const row = product.dot.extent == 1 ? simd::sum_of<T>(product) : simd::dot_of<T>(product);
  std::int64_t const parts = plan.batch.count(),
                     work = std::max<std::int64_t>(1, plan.matrix.work());
  std::int64_t const group = std::max<std::int64_t>(1, ProductPlan<T>::work_at_once / work);
  parallel_for((parts + group - 1) / group, [&](std::int64_t chunk) {
    for (std::int64_t i = chunk * group; i < (std::min)(parts, (chunk + 1) * group); ++i) {
      DirectPart<T> part{plan.whole(i, 0), product};
      part.sum(row);
      for (std::int64_t o = 0; o < product.outputs.extent; ++o) {
        after(part.matrix, part.matrix.n);
        part.matrix.c += product.outputs.c;
      }
    }
  });
}

}  // namespace tenon::internal
