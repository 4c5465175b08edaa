#pragma once

#include <string_view>

#include <tenon/core/axis.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// An axis, or the reason why the word is malformed.
struct ReadAxis {
  Axis axis{};
  std::string_view mistake{};
};

/// The reason why a size cannot be the value of an expression; empty where it can.
constexpr std::string_view extent_mistake(AxisExtent const& extent) {
  if (!extent.known) return "an expression is too long";
  bool positive = extent.count == 0;
  for (ExtentTerm const& term : extent) positive = positive || term.coefficient > 0;
  return positive ? "" : "a size cannot be negative";
}

/// The axis of an expression, in the axes of a shape if one is given.
constexpr ReadAxis expression_axis(std::string_view expression, Shape const* shape = &no_shape) {
  ReadExtent const read = read_extent(expression, shape);
  if (!read.mistake.empty()) return {Axis{}, read.mistake};
  std::string_view const why = extent_mistake(read.extent);
  if (!why.empty()) return {Axis{}, why};
  if (written(read.extent).full) return {Axis{}, "an expression is too long"};
  return {axis_of(read.extent), ""};
}

/// A shape with its dependent axes resolved, or the axis that contradicts the others, and the
/// reason.
struct ResolvedAxes {
  Shape shape{};
  int culprit = -1;
  std::string_view mistake{};
};

/// Whether two sizes can be equal.
constexpr bool sizes_agree(Axis const& a, Axis const& b) {
  if (a.is_static() && b.is_static()) return a.size == b.size;
  if (a.is_static()) return b.lower <= a.size && a.size <= b.upper;
  if (b.is_static()) return a.lower <= b.size && b.size <= a.upper;
  return a.lower <= b.upper && b.lower <= a.upper;
}

/// Whether an axis is consistent with earlier axes of its name. `n=1` beside `n` is the result of
/// `keep` in a reduction.
constexpr bool repeats_well(Shape const& shape, int axis) {
  Axis const& last = shape[axis];
  if (!last.is_named() || last.is_one()) return true;
  for (int i = 0; i < axis; ++i) {
    if (shape[i].name == last.name && !shape[i].is_one() && !sizes_agree(shape[i], last)) {
      return false;
    }
  }
  return true;
}

/// Whether an axis depends on the others: by an expression, or by the name of an earlier axis.
constexpr bool depends(Shape const& shape, int axis) {
  if (!shape[axis].expression.empty()) return true;
  for (int i = 0; i < axis; ++i) {
    if (shape[i].is_named() && shape[i].name == shape[axis].name) return true;
  }
  return false;
}

constexpr bool has_dependence(Shape const& shape) {
  for (int i = 0; i < shape.rank; ++i) {
    if (depends(shape, i)) return true;
  }
  return false;
}

/// Substitutes the static sizes of a shape in its expressions, and checks that a name has one size.
constexpr ResolvedAxes resolve(Shape const& shape) {
  if (!has_dependence(shape)) return {shape};
  ResolvedAxes result{};
  for (int i = 0; i < shape.rank; ++i) {
    Axis const& axis = shape[i];
    ReadAxis const read =
        axis.expression.empty() ? ReadAxis{axis} : expression_axis(axis.expression.view(), &shape);
    result.shape[result.shape.rank++] = read.axis;
    std::string_view const why =
        repeats_well(shape, i) ? read.mistake : "one name stands for two sizes";
    if (result.mistake.empty() && !why.empty()) result.culprit = i, result.mistake = why;
  }
  return result;
}

}  // namespace tenon::internal
