#pragma once

#include <tenon/core/rules/rearrange.hpp>
#include <tenon/expr/view/packed.hpp>

namespace tenon::internal {

/// The steps of a rearrangement. The base is the operand, split into factors where that takes a
/// reshape; `reduce` reduces axes of it. Axes of static size 1 are added and dropped without a
/// step.
struct RearrangeSteps {
  bool splits = false;         ///< Some axis has more than one factor.
  AxisBits reduced = 0;        ///< The axes of the base that are reduced.
  bool moves = false;          ///< Elements are permuted or repeated.
  bool merges = false;         ///< Some axis of the result is merged from several.
  AxisMap order = no_axes();   ///< Axis of `permuted` -> axis of the reduced base, or -1.
  AxisMap direct = no_axes();  ///< Axis of the result -> axis of the reduced base, or -1.
};

/// Whether an entry occurs twice among the axes of a shape that are not of size 1.
constexpr bool is_made_of_several(AxisMap const& map, Shape const& shape) {
  std::array<bool, max_rank> seen{};
  for (int i = 0; i < shape.rank; ++i) {
    int const to = map[static_cast<std::size_t>(i)];
    if (to < 0 || shape[i].is_one()) continue;
    if (seen[static_cast<std::size_t>(to)]) return true;
    seen[static_cast<std::size_t>(to)] = true;
  }
  return false;
}

/// The axis of the base for an axis of `split`, or -1.
constexpr int axis_of_base(Rearrangement const& rule, bool splits, int axis) {
  if (axis < 0 || rule.split[axis].is_one()) return -1;
  return splits ? axis : rule.split_from[static_cast<std::size_t>(axis)];
}

/// The axes of the base that are not in the result.
constexpr AxisBits dropped_axes(Rearrangement const& rule, bool splits) {
  AxisBits dropped = 0;
  for (int i = 0; i < rule.split.rank; ++i) {
    int const axis = axis_of_base(rule, splits, i);
    if (axis >= 0 && position_of(rule.order, i) < 0) dropped |= 1u << axis;
  }
  return dropped;
}

/// The position of an axis after those of `reduced` are removed.
constexpr int axis_after_reduction(AxisBits reduced, int axis) {
  int result = axis;
  for (int i = 0; i < axis; ++i) result -= has_axis(reduced, i) ? 1 : 0;
  return result;
}

/// Whether the axes are permuted, or one of them is repeated.
constexpr bool changes_places(Rearrangement const& rule, AxisMap const& order) {
  int last = -1;
  for (int i = 0; i < rule.kept; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    if (axis < 0 && !rule.permuted[i].is_one()) return true;
    if (axis < 0) continue;
    if (axis < last) return true;
    last = axis;
  }
  return false;
}

constexpr RearrangeSteps rearrange_steps(Rearrangement const& rule) {
  RearrangeSteps steps{};
  steps.splits = is_made_of_several(rule.split_from, rule.split);
  steps.reduced = dropped_axes(rule, steps.splits);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.kept); ++i) {
    int const axis = axis_of_base(rule, steps.splits, rule.order[i]);
    int const place = axis < 0 ? -1 : axis_after_reduction(steps.reduced, axis);
    steps.order[i] = static_cast<std::int8_t>(place);
    if (place >= 0) steps.direct[static_cast<std::size_t>(rule.merged_into[i])] = steps.order[i];
  }
  steps.moves = changes_places(rule, steps.order);
  steps.merges = is_made_of_several(rule.merged_into, rule.permuted);
  return steps;
}

/// The sizes of a shape without its names, which may occur twice in intermediate steps.
constexpr Shape without_names(Shape const& shape) {
  Shape result{};
  for (Axis const& axis : shape) {
    Axis& plain = result[result.rank++];
    plain.size = axis.size;
  }
  return result;
}

}  // namespace tenon::internal
