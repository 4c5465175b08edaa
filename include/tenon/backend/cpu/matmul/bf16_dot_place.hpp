#pragma once

#include <cstdint>

#include <tenon/core/half.hpp>

/// The layout of bfloat16 operands for dot product instructions, which take two terms of a sum at a
/// time, one pair from each operand. Operands are packed into squares of sixteen lines of sixteen
/// pairs. (A line is a row of the left operand, or a column of the right one.)
namespace tenon::internal::simd {

struct Pairs {
  static constexpr int lines = 16;              ///< Of a square.
  static constexpr int depth = 32;              ///< Terms of a sum in a square.
  static constexpr int square = lines * depth;  ///< Its elements, 1 KB.
  static constexpr int panel = 2 * lines;       ///< Lines of a panel: one or two squares per step.

  static constexpr std::int64_t whole_lines(std::int64_t n) {
    return (n + lines - 1) / lines * lines;
  }
  static constexpr std::int64_t squares(std::int64_t k) { return (k + depth - 1) / depth; }
  /// Elements of packed lines. Panels follow each other: line j, the first of one, begins at
  /// `elements(j, k)`.
  static constexpr std::int64_t elements(std::int64_t n, std::int64_t k) {
    return whole_lines(n) * squares(k) * depth;
  }
};

/// Two panels, and the address of their product, in full squares. The right one is packed; the left
/// one may be in place, with these strides of rows and squares.
struct PairPlace {
  std::int64_t squares;  ///< Of the depth.
  bfloat16 const* a;
  std::int64_t a_row, a_square;
  bfloat16 const* b;
  float* c;
  std::int64_t c_row;
  bool accumulate;
};

}  // namespace tenon::internal::simd
