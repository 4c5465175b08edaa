#pragma once

#include <array>
#include <cstdint>

#include <tenon/core/rules/align.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// The maximum number of labels of a contraction of two operands.
inline constexpr int max_labels = 2 * max_rank;

using LabelExtents = std::array<std::int64_t, max_labels>;

/// A contraction of two tensors, or the sum of one, as an einsum over labels.
///
/// Every axis of `left`, `right` and `out` has a label; equal labels are the same extent. A label
/// that is not in `out` is summed over. -1 is an axis of static size 1 that broadcasts, or an index
/// past the rank. A label that occurs twice in one operand walks its diagonal.
struct Contraction {
  bool fits = false;
  Shape shape{};  ///< Of the result.
  AxisMap left = no_axes();
  AxisMap right = no_axes();
  AxisMap out = no_axes();
  int labels = 0;
  int left_axis = -1;                ///< Of a mismatch: the axis of the left operand,
  int right_axis = -1;               ///< and of the right; -1 if the mismatch is of no single axis.
  FixedText mistake{};               ///< Of a mismatch: the reason, as a sentence.
  LabelExtents extents = unknown();  ///< The static size of each label, or `dynamic`.
  bool allow_winograd = false;       ///< Of a convolution: `Sliding::allow_winograd`.

  static constexpr LabelExtents unknown() {
    LabelExtents result{};
    for (std::int64_t& extent : result) extent = dynamic;
    return result;
  }
};

constexpr Contraction mismatched(int left_axis, int right_axis, FixedText const& mistake) {
  Contraction result;
  result.left_axis = left_axis;
  result.right_axis = right_axis;
  result.mistake = mistake;
  return result;
}

}  // namespace tenon::internal
