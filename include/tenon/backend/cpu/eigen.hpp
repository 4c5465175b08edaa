#pragma once

// The only place where Eigen comes in. No macro of Eigen's is set, so that a program which uses
// Eigen as well sees its own.
// (The warnings: whichever header names the machine's intrinsics first, see lanes_generic.hpp.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <Eigen/Core>
#pragma GCC diagnostic pop

#include <cstddef>
#include <cstdint>

namespace tenon {

/// How a product is cut for the caches: a panel of `depth` x `columns` of the right matrix fills
/// half of a second-level cache, the same depth of `rows` of the left the other. Fixed, not asked
/// of the machine as Eigen does, so that sums are cut alike everywhere; as fast as Eigen's own
/// choice, or faster, on shapes from 16 to 4096.
template <class T>
struct ProductPanels {
  static constexpr std::int64_t depth = 256;
  static constexpr std::int64_t columns = 1536 / static_cast<std::int64_t>(sizeof(T));
  static constexpr std::int64_t rows = 1024 / static_cast<std::int64_t>(sizeof(T));
  static constexpr std::size_t bytes = (columns + rows) * depth * sizeof(T);

  /// The depth cut into equal parts of at most `depth`.
  static constexpr std::int64_t equal_depth(std::int64_t k) {
    std::int64_t const parts = (k + depth - 1) / depth;
    std::int64_t const part = (k + parts - 1) / parts, rounded = (part + 7) / 8 * 8;
    return rounded < k ? rounded : k;
  }
};

/// c += a b on one thread, for row-major c. `a_stride` and `b_stride` lie between the rows of a
/// row-major matrix, between the columns of another. `panels` points to `ProductPanels<T>::bytes`,
/// 64-byte aligned.
///
/// Eigen's kernel as its own BLAS calls it: through `Map` and operators it is the same code, but
/// takes four times as long to compile (float and double, all four orders: 1.5 instead of 6.5 s
/// with g++ 12 -O3, beyond 1.4 s for the include), and may start OpenMP threads of its own. The
/// kernel writes columns, so it is given the transposed problem.
template <bool a_is_row_major, bool b_is_row_major, class T>
void eigen_product(std::int64_t m, std::int64_t n, std::int64_t k, T const* a,
                   std::int64_t a_stride, T const* b, std::int64_t b_stride, T* c,
                   std::int64_t c_stride, std::byte* panels) {
  using Panels = ProductPanels<T>;
  struct Blocking : Eigen::internal::level3_blocking<T, T> {
    Blocking(std::int64_t depth, T* memory) {
      this->m_mc = Panels::columns;
      this->m_nc = Panels::rows;
      this->m_kc = depth;
      this->m_blockA = memory;
      this->m_blockB = memory + Panels::columns * Panels::depth;
    }
  } blocking(Panels::equal_depth(k), reinterpret_cast<T*>(panels));
  constexpr int a_order = a_is_row_major ? Eigen::ColMajor : Eigen::RowMajor;
  constexpr int b_order = b_is_row_major ? Eigen::ColMajor : Eigen::RowMajor;
  using Index = Eigen::Index;
  using Kernel = Eigen::internal::general_matrix_matrix_product<Index, T, b_order, false, T,
                                                                a_order, false, Eigen::ColMajor, 1>;
  Kernel::run(n, m, k, b, b_stride, a, a_stride, c, 1, c_stride, T(1), blocking, nullptr);
}

}  // namespace tenon
