#pragma once

#include <cstdint>
#include <optional>

/// Matrices as BLAS libraries describe them.
namespace tenon::internal::codegen {

/// `slow` lines of `fast` contiguous elements, with leading dimension `leading`.
struct DenseMatrix {
  std::int64_t fast, slow, leading;
  bool is_transposed;  ///< Whether it is the transposed of the requested matrix.

  /// A matrix with axes (x, y) and x contiguous, or transposed with y contiguous; none if neither
  /// is contiguous.
  static std::optional<DenseMatrix> of(std::int64_t x, std::int64_t x_step, std::int64_t y,
                                       std::int64_t y_step) {
    if (lies(x, x_step, y, y_step)) return DenseMatrix{x, y, y == 1 ? x : y_step, false};
    if (lies(y, y_step, x, x_step)) return DenseMatrix{y, x, x == 1 ? y : x_step, true};
    return std::nullopt;
  }

 private:
  static bool lies(std::int64_t fast, std::int64_t fast_step, std::int64_t slow,
                   std::int64_t slow_step) {
    return (fast == 1 || fast_step == 1) && (slow == 1 || slow_step >= fast);
  }
};

}  // namespace tenon::internal::codegen
