#pragma once

#include <array>
#include <cstdint>

#include <tenon/core/rules/agree.hpp>
#include <tenon/core/rules/capture.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

constexpr int count_of(Shape const& shape, FixedText const& name) {
  int n = 0;
  for (Axis const& axis : shape) n += axis.name == name;
  return n;
}

enum class ShapeAlignment { by_name, by_position, ambiguous };

/// The alignment of the axes of the smaller shape with the larger: by name if all are named and
/// found in order. A name that occurs more often in the larger shape is ambiguous.
constexpr ShapeAlignment alignment(Shape const& small, Shape const& large) {
  int next = 0;
  bool ambiguous = false;
  for (Axis const& axis : small) {
    if (!axis.is_named()) return ShapeAlignment::by_position;
    ambiguous = ambiguous || count_of(large, axis.name) > count_of(small, axis.name);
    while (next < large.rank && !(large[next].name == axis.name)) ++next;
    if (next++ == large.rank) return ShapeAlignment::by_position;
  }
  return ambiguous ? ShapeAlignment::ambiguous : ShapeAlignment::by_name;
}

/// For each axis of the larger shape the aligned axis of the smaller, or -1.
constexpr AxisMap aligned(Shape const& small, Shape const& large, ShapeAlignment how) {
  AxisMap map = no_axes();
  int next = 0;
  for (int i = 0; i < large.rank && next < small.rank; ++i) {
    bool const here = how == ShapeAlignment::by_name ? large[i].name == small[next].name
                                                     : i == large.rank - small.rank + next;
    if (here) map[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(next++);
  }
  return map;
}

/// One axis merged from two aligned ones, and which of them it keeps.
struct Joined {
  Axis axis{};
  bool keeps_left = true;
  bool keeps_right = true;
  bool fits = true;
};

/// Static size 1 is checked first: it broadcasts to the other axis, which is the result's.
constexpr Joined joined(Axis const& a, Axis const& b) {
  if (a.is_one() && b.is_one()) return {names_agree(a, b) ? merge(a, b) : axis_of_size(1)};
  if (a.is_one()) return {b, false, true};
  if (b.is_one()) return {a, true, false};
  return agree(a, b) ? Joined{merge(a, b)} : Joined{Axis{}, false, false, false};
}

/// Two shapes broadcast: the result and the axis maps, or the axes that do not fit (-1 where the
/// mismatch is not of a single pair of axes).
struct Pairing {
  bool fits = false;
  Shape shape{};
  AxisMap large = no_axes();
  AxisMap small = no_axes();
  int large_axis = -1;
  int small_axis = -1;
};

/// Whether the smaller shape adds nothing to the larger: a number, or the same axes.
constexpr bool adds_nothing(Shape const& large, Shape const& small) {
  return (small.rank == 0 || small == large) && !has_dependence(large);
}

constexpr Pairing pair_axes(Shape const& large, Shape const& small) {
  ShapeAlignment const how = alignment(small, large);
  AxisMap const partners = aligned(small, large, how);
  Pairing result{};
  if (how == ShapeAlignment::ambiguous) return result;
  for (int i = 0; i < large.rank; ++i) {
    int const partner = partners[static_cast<std::size_t>(i)];
    Joined const pair = partner < 0 ? Joined{large[i]} : joined(large[i], small[partner]);
    if (!pair.fits) return result.large_axis = i, result.small_axis = partner, result;
    auto const to = static_cast<std::int8_t>(i);
    if (pair.keeps_left) result.large[static_cast<std::size_t>(i)] = to;
    if (partner >= 0 && pair.keeps_right) result.small[static_cast<std::size_t>(partner)] = to;
    result.shape[result.shape.rank++] = pair.axis;
  }
  std::array<AxisScope, 2> const operands{{{large, result.large}, {small, result.small}}};
  ResolvedAxes const resolved_axes = resolve(without_captures(result.shape, operands));
  result.fits = resolved_axes.mistake.empty();
  for (AxisScope const& operand : operands)
    result.fits = result.fits && operand.is_consistent(result.shape);
  result.shape = resolved_axes.shape;
  return result;
}

constexpr Pairing paired(Shape const& large, Shape const& small) {
  if (!adds_nothing(large, small)) return pair_axes(large, small);
  return {.fits = true,
          .shape = large,
          .large = same_order(large.rank),
          .small = same_order(small.rank)};
}

}  // namespace tenon::internal
