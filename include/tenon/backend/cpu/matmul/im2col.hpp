#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <tenon/backend/cpu/matmul/product.hpp>
#include <tenon/backend/cpu/simd/lanes_even.hpp>

/// Matmuls whose operands are not strided matrices, such as sliding windows of an image (implicit
/// im2col). Packing looks up the offset of each element; the tile kernels are shared.
namespace tenon::internal::simd {

/// Rows of the left operand from `row` on, and terms from `step` on, as a panel.
template <class T>
struct Im2colLeft {
  Im2col const& places;
  T const* a;
  std::int64_t row, step;

  T const* at(std::int64_t i, std::int64_t p) const {
    return a + places.rows[row + i] + places.left_steps[step + p];
  }

  /// Row by row if terms are evenly spaced, else term by term, as if rows are contiguous.
  LeftPanel<T> pack(std::int64_t m, std::int64_t k, T* to) const {
    bool const is_even = places.left_steps.even_run_of(step) > 1;
    if (is_even && (places.left_steps.step() == 1 || !lies_across(m))) return pack_rows(m, k, to);
    return pack_steps(m, k, to);
  }

 private:
  static constexpr std::int64_t rows = LeftPanel<T>::rows;

  /// Whether rows, and not terms, are contiguous.
  bool lies_across(std::int64_t m) const { return m == rows && places.rows.run_of(row) >= rows; }

  LeftPanel<T> pack_rows(std::int64_t m, std::int64_t k, T* to) const {
    std::int64_t const length = k + width<T>;
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t p = 0, here; p < k; p += here) {
        here = (std::min)(places.left_steps.even_run_of(step + p), k - p);
        copy_steps(at(i, p), places.left_steps.step(), here, to + i * length + p);
      }
    }
    std::fill(to + m * length, to + rows * length, T(0));
    return {to, length, 1};
  }

  LeftPanel<T> pack_steps(std::int64_t m, std::int64_t k, T* to) const {
    bool const together = lies_across(m);
    for (std::int64_t p = 0; p < k; ++p) {
      if (together) std::memcpy(to + p * rows, at(0, p), rows * sizeof(T));
      else
        for (std::int64_t i = 0; i < rows; ++i) to[p * rows + i] = i < m ? *at(i, p) : T(0);
    }
    return {to, 1, rows};
  }
};

/// Columns of the right operand from `column` on, and terms from `step` on, as panels.
template <class T>
struct Im2colRight {
  Im2col const& places;
  T const* b;
  std::int64_t column, step;

  T const* at(std::int64_t p, std::int64_t j) const {
    return b + places.right_steps[step + p] + places.columns[column + j];
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
    return n > 1 && k > 1 && places.columns.run_of(column + j) == 1 &&
           places.right_steps.run_of(step) >= std::min<std::int64_t>(width<T>, k);
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
        here = (std::min)(places.columns.even_run_of(column + j + i), n - i);
        pack_run(p, terms, j + i, here, to + i, length);
      }
    }
  }

  /// Evenly spaced columns from j on, of several terms.
  void pack_run(std::int64_t p, std::int64_t terms, std::int64_t j, std::int64_t n, T* to,
                std::int64_t length) const {
    std::int64_t const stride = places.columns.step();
    if (stride == 1)
      for (std::int64_t q = 0; q < terms; ++q) copy_steps(at(p + q, j), 1, n, to + q * length);
    else
      for (std::int64_t q = 0; q < terms; ++q) copy_steps(at(p + q, j), stride, n, to + q * length);
  }

  void pack_columns(std::int64_t j, std::int64_t n, std::int64_t k, T* to) const {
    std::int64_t const length = RightPanels<T>::whole(n);
    for (std::int64_t i = 0; i < length; i += width<T>) {
      for (std::int64_t p = 0, here; p < k; p += here) {
        here = (std::min)({std::int64_t{width<T>}, k - p, places.right_steps.run_of(step + p)});
        pack_square(j + i, std::min<std::int64_t>(width<T>, n - i), p, here, to + p * length + i,
                    length);
      }
    }
  }

  void pack_square(std::int64_t j, std::int64_t n, std::int64_t p, std::int64_t k, T* to,
                   std::int64_t length) const {
    std::int64_t const apart = n > 1 ? at(p, j + 1) - at(p, j) : 0;
    if (places.columns.is_even(column + j, n))
      return transpose_square(n, k, StridedMatrix<T const>{at(p, j), apart, 1}, to, length);
    for (std::int64_t q = 0; q < k; ++q)
      for (std::int64_t i = 0; i < width<T>; ++i)
        to[q * length + i] = i < n ? *at(p + q, j + i) : T(0);
  }
};

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// A block of a scattered matmul: some columns, some terms, all rows.
template <class T>
struct Im2colBlock {
  MatrixProduct<T> matrix;  ///< Its operands start at those of the full matmul.
  Im2col const& places;
  std::int64_t column, step;
  ProductCut cut;

  void multiply(T* packed, AfterPart<T> const& after) const {
    pack_shared<T>(matrix.n, [&](std::int64_t first, std::int64_t count) {
      simd::Im2colRight<T>{places, matrix.b, column + first, step}.pack(count, matrix.k,
                                                                        packed + first * matrix.k);
    });
    simd::RightBlock<T> const right(matrix.k, packed);
    multiply_shared(matrix, cut, after,
                    [&](MatrixProduct<T> const& part, std::int64_t first, T* scratch) {
                      multiply_rows(part, first, right, scratch);
                    });
  }
  /// The same on one thread; `scratch` is working memory for rows of the left operand.
  void multiply_alone(T* packed, T* scratch, AfterPart<T> const& after) const {
    simd::Im2colRight<T>{places, matrix.b, column, step}.pack(matrix.n, matrix.k, packed);
    multiply_rows(matrix, 0, simd::RightBlock<T>(matrix.k, packed), scratch);
    after(matrix, cut.columns);
  }

 private:
  void multiply_rows(MatrixProduct<T> const& part, std::int64_t first,
                     simd::RightBlock<T> const& right, T* scratch) const {
    for (std::int64_t i = 0; i < part.m; i += simd::TileShape::rows) {
      std::int64_t const height = std::min<std::int64_t>(simd::TileShape::rows, part.m - i);
      simd::Im2colLeft<T> const left{places, matrix.a, first + i, step};
      simd::panel_product<T>(height, part.n, part.k, left.pack(height, part.k, scratch), {}, right,
                             {part.c + i * part.c_row, part.c_row, 1}, part.accumulate);
    }
  }
};

/// A plan of scattered operands: how it is cut into blocks.
template <class T>
struct Im2colBlocks {
  ProductPlan<T> const& plan;
  AfterPart<T> const& after;
  std::int64_t depth = simd::ProductBlocks<T>::equal_depth(plan.matrix.k);
  ProductCut cut{32, simd::ProductBlocks<T>::equal_columns(plan.matrix.n), true};

  std::int64_t packed_elements() const {
    return simd::RightPanels<T>::elements(cut.columns, depth);
  }
  /// Calls `multiply(block, after)` for the blocks of one of the independent matmuls.
  template <class F>
  void each(std::int64_t number, F const& multiply) const {
    for (std::int64_t j = 0; j < plan.matrix.n; j += cut.columns) {
      for (std::int64_t p = 0; p < plan.matrix.k; p += depth) {
        auto const part = plan.whole(number, 0).columns(j, cut.columns).steps(p, depth);
        multiply(Im2colBlock<T>{part, *plan.scattered, j, p, cut},
                 p + depth >= plan.matrix.k ? after : AfterPart<T>());
      }
    }
  }
};

/// Small independent matmuls, such as those of the images of a batch: several per thread.
template <class T>
void multiply_im2col_batch(Im2colBlocks<T> const& blocks) {
  ProductPlan<T> const& plan = blocks.plan;
  std::int64_t const count = plan.batch.count(), right = blocks.packed_elements();
  std::int64_t const left = simd::LeftPanel<T>::elements(blocks.depth);
  std::int64_t const group = ProductPlan<T>::work_at_once / plan.matrix.work() + 1;
  parallel_for((count + group - 1) / group, static_cast<std::size_t>(right + left) * sizeof(T),
               [&](std::int64_t chunk, std::byte* scratch) {
                 T* const packed = reinterpret_cast<T*>(scratch);
                 std::int64_t const last = (std::min)(count, (chunk + 1) * group);
                 for (std::int64_t number = chunk * group; number < last; ++number)
                   blocks.each(number, [&](Im2colBlock<T> const& block, AfterPart<T> const& then) {
                     block.multiply_alone(packed, packed + right, then);
                   });
               });
}

/// A plan of scattered operands, by blocks of the right one.
template <class T>
void multiply_im2col(ProductPlan<T> const& plan, AfterPart<T> const& after) {
  Im2colBlocks<T> const blocks{plan, after};
  if (plan.batch.count() > 1 && plan.matrix.work() < ProductPlan<T>::work_at_once)
    return multiply_im2col_batch(blocks);
  SharedBuffer const packed(static_cast<std::size_t>(blocks.packed_elements()) * sizeof(T));
  for (std::int64_t number = 0; number < plan.batch.count(); ++number)
    blocks.each(number, [&](Im2colBlock<T> const& block, AfterPart<T> const& then) {
      block.multiply(packed.as<T>(), then);
    });
}

}  // namespace tenon::internal
