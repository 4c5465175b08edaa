#pragma once

#include <cstdint>

#include <tenon/core/half.hpp>

/// Products of bfloat16 by instructions that take two steps of a sum at once, a pair from either
/// operand: how these lie for them. Operands are packed into squares of sixteen lines of sixteen
/// pairs. (Of the left operand a line is a row, of the right one a column.)
namespace tenon::simd {

struct Pairs {
  static constexpr int lines = 16;              ///< Of a square.
  static constexpr int depth = 32;              ///< Steps of a sum that a square holds.
  static constexpr int square = lines * depth;  ///< Its elements, 1 KB.
  static constexpr int panel = 2 * lines;       ///< Lines of a panel: one square or two a step.

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

/// A panel of either operand, and where their product belongs: whole squares of it. The right one
/// is packed; the left one may lie where it is, rows and squares so far apart.
struct PairPlace {
  std::int64_t squares;  ///< Of the depth.
  bfloat16 const* a;
  std::int64_t a_row, a_square;
  bfloat16 const* b;
  float* c;
  std::int64_t c_row;
  bool accumulate;
};

}  // namespace tenon::simd
