#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/matmul/product_blocks.hpp>
#include <tenon/backend/cpu/matmul/products.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/eval/contract/product.hpp>
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

template <class T>
std::size_t CpuProducts<T>::scratch(MatrixProduct<T> const& p) {
  return takes_loops<T>(p.m, p.n, p.k) ? 0 : ProductScratch<T>::bytes(p.n, p.k);
}
template <class T>
void CpuProducts<T>::multiply(MatrixProduct<T> const& p, std::byte* scratch) {
  product<T>(p.m, p.n, p.k, {p.a, p.a_row, p.a_column}, {p.b, p.b_row, p.b_column},
             {p.c, p.c_row, 1}, p.accumulate, scratch);
}

}  // namespace tenon::internal

/// Matmuls large enough that all threads share one packed block of the right matrix.
namespace tenon::internal {

/// The partition of a matmul among threads: if the right matrix is read in place, splitting rows is
/// free, and few rows per task balance the load; if each task packs it, as in large batches, tasks
/// have many rows; otherwise it is packed once for all.
template <class T>
ProductCut CpuProducts<T>::cut(ProductPlan<T> const& plan) {
  MatrixProduct<T> const& p = plan.matrix;
  if constexpr (std::is_floating_point_v<T>) {
    constexpr std::int64_t alone = std::int64_t{1} << 18;  // 4 µs
    bool const straight = p.b_column == 1, many = plan.batch.count() > 1;
    bool const in_place = straight && simd::ProductBlocks<T>::reads_in_place(p.m, p.n, p.k);
    bool const large =
        !takes_loops<T>(p.m, p.n, p.k) && p.work() > (many ? 16 * alone : alone) && p.m > 32;
    std::int64_t const at_once = p.work() < 16 * alone ? p.m : 32;  // too small for threads
    if (!in_place && large) return {at_once, simd::ProductBlocks<T>::equal_columns(p.n), true};
    std::int64_t const rows = in_place ? 32 : 128, few = simd::RightPanels<T>::whole(p.n / 4);
    bool const only_columns = p.m > 1 && p.m <= rows;  // rows can be split: into at least four
    return {rows, only_columns ? std::clamp<std::int64_t>(few, 64, 512) : 512, false};
  } else {
    return {};
  }
}

/// Calls `pack(first, count)` for the columns of a block, on all threads, in full panels.
template <class T, class F>
void pack_shared(std::int64_t columns, F const& pack) {
  constexpr std::int64_t at_once = 2 * simd::TileShape::columns<T>;
  std::int64_t const chunks = std::max<std::int64_t>(1, columns / at_once);
  parallel_for(chunks, [&](std::int64_t chunk) {
    std::int64_t const first = chunk * at_once;
    pack(first, chunk + 1 == chunks ? columns - first : at_once);
  });
}

/// Calls `multiply(part, first, scratch)` for the rows of a block, on all threads: some rows each,
/// from `first` on, with scratch memory for their panel.
template <class T, class F>
void multiply_shared(MatrixProduct<T> const& block, ProductCut const& cut,
                     AfterPart<T> const& after, F const& multiply) {
  auto const bytes = static_cast<std::size_t>(simd::LeftPanel<T>::elements(block.k)) * sizeof(T);
  parallel_for((block.m + cut.rows - 1) / cut.rows, bytes,
               [&](std::int64_t chunk, std::byte* scratch) {
                 std::int64_t const first = chunk * cut.rows;
                 MatrixProduct<T> const part = block.rows(first, cut.rows);
                 multiply(part, first, reinterpret_cast<T*>(scratch));
                 after(part, cut.columns);
               });
}

/// Packs the right matrix of a block, on all threads; returns how many rows of the result that has
/// computed.
template <class T>
std::int64_t pack_block(MatrixProduct<T> const& block, T* packed) {
  StridedMatrix<T const> const a{block.a, block.a_row, block.a_column};
  StridedMatrix<T const> const b{block.b, block.b_row, block.b_column};
  pack_shared<T>(block.n, [&](std::int64_t first, std::int64_t count) {
    simd::pack_right<T>(block.m, count, block.k, a, b.from(0, first),
                        {block.c + first, block.c_row, 1}, block.accumulate,
                        packed + first * block.k);
  });
  return simd::packs_on_the_way<T>(block.m, a, b) ? simd::TileShape::rows : 0;
}

/// Packs the right matrix of one block, and multiplies with it.
template <class T>
void multiply_block(MatrixProduct<T> const& block, ProductCut const& cut, T* packed,
                    AfterPart<T> const& after) {
  std::int64_t const done = pack_block(block, packed);
  simd::RightBlock<T> const right(block.k, packed);
  auto const multiply = [&](MatrixProduct<T> const& part, std::int64_t first, T* scratch) {
    auto const p = first == 0 ? part.rows(done, part.m - done) : part;
    simd::block_product<T>(p.m, p.n, p.k, {p.a, p.a_row, p.a_column}, right, {p.c, p.c_row, 1},
                           p.accumulate, scratch);
  };
  multiply_shared(block, cut, after, multiply);
}

/// One of a plan's independent products, some of its columns, all steps of its sums.
template <class T>
void multiply_columns(ProductPlan<T> const& plan, std::int64_t number, std::int64_t first,
                      T* packed, AfterPart<T> const& after) {
  std::int64_t const depth = simd::ProductBlocks<T>::equal_depth(plan.matrix.k);
  for (std::int64_t sum = 0; sum < plan.sums(); ++sum) {
    auto const whole = plan.whole(number, sum).columns(first, plan.cut.columns);
    for (std::int64_t p = 0; p < whole.k; p += depth) {
      bool const last = sum + 1 == plan.sums() && p + depth >= whole.k;
      multiply_block(whole.steps(p, depth), plan.cut, packed, last ? after : AfterPart<T>());
    }
  }
}

template <class T>
void CpuProducts<T>::multiply_packed([[maybe_unused]] ProductPlan<T> const& plan,
                                     [[maybe_unused]] AfterPart<T> const& after) {
  if constexpr (std::is_floating_point_v<T>) {
    using Blocks = simd::ProductBlocks<T>;
    std::int64_t const depth = Blocks::equal_depth(plan.matrix.k);
    auto const elements = simd::RightPanels<T>::elements(plan.cut.columns, depth);
    SharedBuffer const packed(static_cast<std::size_t>(elements) * sizeof(T));
    for (std::int64_t number = 0; number < plan.batch.count(); ++number) {
      for (std::int64_t j = 0; j < plan.matrix.n; j += plan.cut.columns)
        multiply_columns(plan, number, j, packed.as<T>(), after);
    }
  }
}

}  // namespace tenon::internal
