#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <tenon/backend/cpu/matmul/product.hpp>
#include <tenon/backend/cpu/simd/lanes_even.hpp>

/// Matmuls whose operands are not strided matrices, such as sliding windows of an image (implicit
/// im2col). One operand is packed, by the offset of each element. The other is read in place: a
/// tile has the address of each of its rows, and a table of the offsets of the terms (the indirect
/// convolution of Dukhan, arXiv 1907.02129).
namespace tenon::internal::simd {

/// The elements of an operand: the offsets of its rows or columns, and of the terms of sums.
template <class T>
struct Im2colOperand {
  T const* data;
  Im2colOffsets const& across;
  Im2colOffsets const& steps;
};

/// Columns of an operand from `column` on, and terms from `step` on, as panels.
template <class T>
struct Im2colRight {
  Im2colOperand<T> const& from;
  std::int64_t column, step;

  T const* at(std::int64_t p, std::int64_t j) const {
    return from.data + from.steps[step + p] + from.across[column + j];
  }

  void pack(std::int64_t n, std::int64_t k, T* to) const {
    for (std::int64_t j = 0, here; j < n; j += here, to += here * k) {
      here = RightPanels<T>::next(n - j);
      if (lies_across(j, here, k)) pack_columns(j, here, k, to);
      else pack_rows(j, here, k, to);
    }
  }

 private:
  /// Whether terms, and not columns, are contiguous.
  bool lies_across(std::int64_t j, std::int64_t n, std::int64_t k) const {
    return n > 1 && k > 1 && from.across.run_of(column + j) == 1 &&
           from.steps.run_of(step) >= std::min<std::int64_t>(width<T>, k);
  }

  /// Some terms at a time, which stay in the cache, and of these one run of columns after the
  /// other.
  void pack_rows(std::int64_t j, std::int64_t n, std::int64_t k, T* to) const {
    constexpr std::int64_t at_once = 32;
    std::int64_t const length = RightPanels<T>::whole(n);
    for (std::int64_t p = 0; p < k; p += at_once, to += at_once * length) {
      std::int64_t const terms = (std::min)(at_once, k - p);
      for (std::int64_t q = 0; n < length && q < terms; ++q)
        Batch<T>(T(0)).store_unaligned(to + (q + 1) * length - width<T>);
      for (std::int64_t i = 0, here; i < n; i += here) {
        here = (std::min)(from.across.even_run_of(column + j + i), n - i);
        pack_run(p, terms, j + i, here, to + i, length);
      }
    }
  }

  /// Evenly spaced columns from j on, of several terms.
  void pack_run(std::int64_t p, std::int64_t terms, std::int64_t j, std::int64_t n, T* to,
                std::int64_t length) const {
    std::int64_t const stride = from.across.step();
    if (stride == 1)
      for (std::int64_t q = 0; q < terms; ++q) copy_steps(at(p + q, j), 1, n, to + q * length);
    else
      for (std::int64_t q = 0; q < terms; ++q) copy_steps(at(p + q, j), stride, n, to + q * length);
  }

  void pack_columns(std::int64_t j, std::int64_t n, std::int64_t k, T* to) const {
    std::int64_t const length = RightPanels<T>::whole(n);
    for (std::int64_t i = 0; i < length; i += width<T>) {
      for (std::int64_t p = 0, here; p < k; p += here) {
        here = (std::min)({std::int64_t{width<T>}, k - p, from.steps.run_of(step + p)});
        pack_square(j + i, std::min<std::int64_t>(width<T>, n - i), p, here, to + p * length + i,
                    length);
      }
    }
  }

  void pack_square(std::int64_t j, std::int64_t n, std::int64_t p, std::int64_t k, T* to,
                   std::int64_t length) const {
    std::int64_t const apart = n > 1 ? at(p, j + 1) - at(p, j) : 0;
    for (std::int64_t i = 0; i < n; ++i) __builtin_prefetch(at(p, j + i) + 4 * width<T>);
    if (from.across.is_even(column + j, n))
      return transpose_square(n, k, StridedMatrix<T const>{at(p, j), apart, 1}, to, length);
    for (std::int64_t q = 0; q < k; ++q)
      for (std::int64_t i = 0; i < width<T>; ++i)
        to[q * length + i] = i < n ? *at(p + q, j + i) : T(0);
  }
};

/// Rows that are read in place, and packed columns, for some terms of sums.
template <class T>
struct IndirectPlace {
  T const* const* row;
  std::int64_t const* steps;
  T const* b;
};

/// Adds k products to the sums of a tile, which are stored with the row stride of a full tile.
template <int rows, int vectors, class T>
TENON_INLINE inline void add_indirect(TileRegisters<T, rows, vectors>& sum, std::int64_t k,
                                      IndirectPlace<T> const& at) {
  T const* row[std::size_t{rows}];
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) row[i] = at.row[i];
  T const* b = at.b;
  for (std::int64_t p = 0; p < k; ++p, b += vectors * width<T>) {
    std::int64_t const step = at.steps[p];
    RowRegisters<T, vectors> right;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) right[v] = Batch<T>::load_unaligned(b + v * width<T>);
    keep<T, vectors>(right);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      Batch<T> const left(row[i][step]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[i][v] = Native::fma(left, right[v], sum[i][v]);
    }
  }
}

template <int rows, int vectors, class T>
[[gnu::noinline]] void indirect_tile(std::int64_t k, IndirectPlace<T> const& at, T* to,
                                     bool accumulate) {
  T const* const before = accumulate ? to : zeros<T>;
  std::int64_t const length = TileShape::columns<T>, before_row = accumulate ? length : 0;
  TileRegisters<T, rows, vectors> sum;
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v)
      sum[i][v] = Batch<T>::load_unaligned(before + i * before_row + v * width<T>);
  }
  add_indirect<rows, vectors>(sum, k, at);
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sum[i][v].store_unaligned(to + i * length + v * width<T>);
  }
}

template <int rows, class T>
void indirect_tile(std::int64_t n, std::int64_t k, IndirectPlace<T> const& at, T* to,
                   bool accumulate) {
  if (n > 2 * width<T>) indirect_tile<rows, 3>(k, at, to, accumulate);
  else if (n > width<T>) indirect_tile<rows, 2>(k, at, to, accumulate);
  else indirect_tile<rows, 1>(k, at, to, accumulate);
}

/// c (or c +=) the transpose of a square of sums: m of its rows are contiguous in c, and n columns
/// `column` apart.
template <class T>
void store_transposed(std::int64_t m, std::int64_t n, T const* from, T* c, std::int64_t column,
                      bool accumulate) {
  Batch<T> row[width<T>];
#pragma GCC unroll 16
  for (int i = 0; i < width<T>; ++i)
    row[i] = Batch<T>::load_unaligned(from + i * TileShape::columns<T>);
  transpose_registers(row);
  if (m == width<T> && n == width<T> && !accumulate) {
#pragma GCC unroll 16
    for (int j = 0; j < width<T>; ++j) row[j].store_unaligned(c + j * column);
    return;
  }
  auto const count = static_cast<int>(m);
  for (std::int64_t j = 0; j < n; ++j, c += column)
    store_first(accumulate ? load_first(c, count) + row[j] : row[j], c, count);
}

/// The result: evenly spaced runs of rows, and contiguous ones of columns. `is_transposed`: whether
/// the rows of tiles are its columns.
template <class T>
struct Im2colResult {
  T* data;
  Im2colOffsets const &rows, &columns;
  bool is_transposed;

  /// Stores m rows of tiles from row i on, of n columns from column j on, or adds them.
  void store(std::int64_t i, std::int64_t m, std::int64_t j, std::int64_t n, T const* sums,
             bool accumulate) const {
    if (is_transposed) std::swap(i, j), std::swap(m, n);
    for (std::int64_t row = 0, down; row < m; row += down) {
      down = (std::min)(rows.even_run_of(i + row), m - row);
      for (std::int64_t column = 0, right; column < n; column += right) {
        right = (std::min)(columns.run_of(j + column), n - column);
        T* const to = data + rows[i + row] + columns[j + column];
        if (is_transposed) store_squares(right, down, sums + column * length + row, to, accumulate);
        else
          store_part<T>(down, right, sums + row * length + column, {to, rows.step(), 1},
                        accumulate);
      }
    }
  }

 private:
  static constexpr std::int64_t length = TileShape::columns<T>;

  void store_squares(std::int64_t m, std::int64_t n, T const* sums, T* to, bool accumulate) const {
    constexpr std::int64_t square = width<T>;
    for (std::int64_t j = 0; j < n; j += square)
      for (std::int64_t i = 0; i < m; i += square)
        store_transposed<T>((std::min)(square, m - i), (std::min)(square, n - j),
                            sums + i * length + j, to + j * rows.step() + i, rows.step(),
                            accumulate);
  }
};

/// A block of the packed operand, of n columns and k terms, and the operand that is read in place.
/// Of these, `group` rows (whole tiles and registers) and `panel` elements of up to three registers
/// of columns at a time stay in the L1 cache.
template <class T>
struct IndirectBlock {
  static constexpr std::int64_t group = TileShape::rows == 8 ? 64 : 48;
  static constexpr std::int64_t panel = (TileShape::rows == 8 ? 32768 : 16384) / sizeof(T);

  Im2colOperand<T> const& from;
  std::int64_t column, n, k, step;
  T const* packed;

  /// The products with `m` rows from row `first` on. (Squares at the end of the sums are whole.)
  void multiply(std::int64_t first, std::int64_t m, Im2colResult<T> const& result,
                bool accumulate) const {
    alignas(64) T sums[std::size_t{group + width<T>} * TileShape::columns<T>];
    for (std::int64_t j = 0, here; j < n; j += here) {
      here = RightPanels<T>::next(n - j);
      for (std::int64_t i = first; i < first + m; i += group) {
        std::int64_t const rows = (std::min)(group, first + m - i);
        add_group(i, rows, j, here, sums);
        result.store(i, rows, column + j, here, sums, accumulate);
      }
    }
  }

 private:
  /// Where there are 16 registers, tiles of two registers of columns have six rows: there are more
  /// sums than multiply-adds under way. (5 x 5 with AVX2, Zen 2: from 0.40 to 0.61 of the rate.)
  void add_group(std::int64_t first, std::int64_t m, std::int64_t j, std::int64_t columns,
                 T* sums) const {
    constexpr int rows = TileShape::rows, more = rows == 8 ? 8 : 6;
    if (columns > 2 * width<T>) add_tiles<rows>(first, m, j, columns, sums);
    else add_tiles<more>(first, m, j, columns, sums);
  }

  template <int rows>
  void add_tiles(std::int64_t first, std::int64_t m, std::int64_t j, std::int64_t columns,
                 T* sums) const {
    T const* row[std::size_t{group}];
    std::int64_t const length = RightPanels<T>::whole(columns), terms = panel / length;
    for (std::int64_t i = 0; i < m + rows; ++i)
      if (i < group) row[i] = from.data + from.across[first + (std::min)(i, m - 1)];
    for (std::int64_t p = 0; p < k; p += terms) {
      std::int64_t const here = (std::min)(terms, k - p);
      T const* const b = packed + j * k + p * length;
      for (std::int64_t i = 0; i < m; i += rows) {
        IndirectPlace<T> const at{row + i, from.steps.from(step + p), b};
        T* const to = sums + i * TileShape::columns<T>;
        if (m - i > rows / 2) indirect_tile<rows>(columns, here, at, to, p > 0);
        else indirect_tile<rows / 2>(columns, here, at, to, p > 0);
      }
    }
  }
};

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// A plan of scattered operands. The rows or the columns of the matmul are packed, once for all
/// independent matmuls that have them in common.
template <class T>
class Im2colProduct {
  using Operand = simd::Im2colOperand<T>;
  using Blocks = simd::ProductBlocks<T>;
  using Block = simd::IndirectBlock<T>;

 public:
  Im2colProduct(ProductPlan<T> const& plan, AfterPart<T> const& after)
      : plan_(plan), after_(after), packs_rows_(is_faster_by_rows(plan.matrix)) {
    for (int i = 0; i < plan.batch.size; ++i)
      (step_of(plan.batch[i]) == 0 ? inner_ : outer_).add(plan.batch[i]);
  }

  void run() const {
    std::int64_t const count = outer_.count(), work = plan_.matrix.work() * inner_.count();
    if (count == 1 || work >= ProductPlan<T>::work_at_once) {
      for (std::int64_t i = 0; i < count; ++i) multiply(i);
    } else {
      std::int64_t const group = ProductPlan<T>::work_at_once / work + 1;
      parallel_for((count + group - 1) / group, [&](std::int64_t chunk) {
        for (std::int64_t i = chunk * group; i < (std::min)(count, (chunk + 1) * group); ++i)
          multiply(i);
      });
    }
  }

 private:
  /// Rows are packed where they fill registers and are fewer than columns, and where the sums are
  /// long: each tile is transposed.
  static bool is_faster_by_rows(MatrixProduct<T> const& p) {
    bool const fills = 4 * p.m >= 3 * simd::RightPanels<T>::whole(p.m);
    return p.n > p.m && fills && p.k >= 2 * p.m;
  }

  std::int64_t step_of(LoopLabel const& label) const { return packs_rows_ ? label.a : label.b; }
  std::int64_t packed_count() const { return packs_rows_ ? plan_.matrix.m : plan_.matrix.n; }
  std::int64_t in_place_count() const { return packs_rows_ ? plan_.matrix.n : plan_.matrix.m; }
  std::int64_t columns() const { return Blocks::equal_columns(packed_count()); }

  /// Terms of a block: few columns have long ones, so that a result is read and written seldom.
  std::int64_t depth() const {
    std::int64_t const most = Blocks::depth * Blocks::columns / columns(), k = plan_.matrix.k;
    std::int64_t const parts = (k - 1) / (std::min)(most, 4 * Blocks::depth) + 1;
    return (k + parts - 1) / parts;
  }

  Operand operand(bool left, MatrixProduct<T> const& p) const {
    Im2col const& places = *plan_.scattered;
    return left ? Operand{p.a, places.rows, places.left_steps}
                : Operand{p.b, places.columns, places.right_steps};
  }

  MatrixProduct<T> at(LoopLabel const& place, MatrixProduct<T> p) const {
    p.a += place.a, p.b += place.b, p.c += place.c;
    return p;
  }

  void multiply(std::int64_t number) const {
    MatrixProduct<T> const whole = at(outer_.place(number), plan_.matrix);
    std::int64_t const count = packed_count(), k = plan_.matrix.k, all = columns();
    SharedBuffer const packed(static_cast<std::size_t>(all * depth()) * sizeof(T));
    for (std::int64_t j = 0; j < count; j += all) {
      for (std::int64_t p = 0; p < k; p += depth()) multiply_block(whole, j, p, packed.as<T>());
    }
  }

  /// Packs a block, and multiplies with it: parts of all independent matmuls, several per thread.
  void multiply_block(MatrixProduct<T> const& matrix, std::int64_t column, std::int64_t step,
                      T* packed) const {
    std::int64_t const n = (std::min)(columns(), packed_count() - column);
    std::int64_t const k = (std::min)(depth(), plan_.matrix.k - step);
    Operand const from = operand(packs_rows_, matrix);
    pack_shared<T>(n, [&](std::int64_t first, std::int64_t count) {
      simd::Im2colRight<T>{from, column + first, step}.pack(count, k, packed + first * k);
    });
    std::int64_t const rows = rows_at_once(n * k);
    std::int64_t const parts = (in_place_count() + rows - 1) / rows, all = parts * inner_.count();
    std::int64_t const group = ProductPlan<T>::work_at_once / (rows * n * k) + 1;
    parallel_for((all + group - 1) / group, [&](std::int64_t chunk) {
      for (std::int64_t i = chunk * group; i < (std::min)(all, (chunk + 1) * group); ++i) {
        auto const part = at(inner_.place(i / parts), matrix);
        multiply_part(part, i % parts * rows, rows,
                      {operand(!packs_rows_, part), column, n, k, step, packed});
      }
    });
  }

  std::int64_t rows_at_once(std::int64_t each) const {
    std::int64_t const rows = ProductPlan<T>::work_at_once / each / Block::group * Block::group;
    return (std::max)(Block::group, rows);
  }

  void multiply_part(MatrixProduct<T> const& matrix, std::int64_t first, std::int64_t rows,
                     Block const& block) const {
    std::int64_t const count = (std::min)(rows, in_place_count() - first);
    block.multiply(
        first, count,
        {matrix.c, plan_.scattered->result_rows, plan_.scattered->result_columns, packs_rows_},
        matrix.accumulate || block.step > 0);
    if (block.step + block.k < plan_.matrix.k) return;
    after_(packs_rows_ ? matrix.rows(block.column, block.n).columns(first, count)
                       : matrix.columns(block.column, block.n).rows(first, count),
           packs_rows_ ? rows : columns());
  }

  ProductPlan<T> const& plan_;
  AfterPart<T> const& after_;
  bool packs_rows_;
  LoopLabels outer_, inner_;
};

template <class T>
void CpuProducts<T>::multiply_im2col(ProductPlan<T> const& plan, AfterPart<T> const& after)
  requires std::floating_point<T>
{
  Im2colProduct<T>(plan, after).run();
}

}  // namespace tenon::internal
