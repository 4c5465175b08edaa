#pragma once

#include <tenon/expr/view/packed.hpp>

/// Maps a set of axes of an expression to the axes of its operands.
namespace tenon::internal {

/// The last `number` of `rank` axes.
constexpr AxisBits last_axes(int rank, int number) {
  return ((1u << number) - 1u) << (rank - number);
}

/// The axis of an operand that maps to axis `axis` of the result; -1 if none does.
constexpr int operand_axis(AxisMap const& map, int rank, int axis) {
  for (int i = 0; i < rank && axis >= 0; ++i) {
    if (map[static_cast<std::size_t>(i)] == axis) return i;
  }
  return -1;
}

/// The axes of an operand that map to the axes `set` of the result.
constexpr AxisBits operand_axes(AxisMap const& map, int rank, AxisBits set) {
  AxisBits result = 0;
  for (int i = 0; i < rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis >= 0 && has_axis(set, axis)) result |= 1u << i;
  }
  return result;
}

/// The axes of a view's operand along which the axes `set` of the view walk.
constexpr AxisBits index_map_axes(AxisMap const& order, int rank, AxisBits set) {
  AxisBits result = 0;
  for (int i = 0; i < rank; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    if (axis >= 0 && has_axis(set, i)) result |= 1u << axis;
  }
  return result;
}

/// Whether every axis of an operand is the axis of the result with the same number.
constexpr bool keeps_places(AxisMap const& map, int rank) {
  for (int i = 0; i < rank; ++i) {
    if (map[static_cast<std::size_t>(i)] != i) return false;
  }
  return true;
}

/// Whether two axes of a view walk along the same axis of its operand, as windows do.
constexpr bool overlaps(AxisMap const& order, int rank) {
  AxisBits seen = 0;
  for (int i = 0; i < rank; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    if (axis >= 0 && has_axis(seen, axis)) return true;
    if (axis >= 0) seen |= 1u << axis;
  }
  return false;
}

}  // namespace tenon::internal
