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

/// Whether two axes of a shape have one run-time size, as they are bare and have one name.
constexpr bool have_one_size(Axis const& a, Axis const& b) {
  return a.is_bare() && b.is_bare() && a.name == b.name;
}

/// Calls `f` with each name in an expression; a word before a parenthesis is a function.
template <class F>
constexpr void for_each_name(std::string_view expression, F const& f) {
  while (!expression.empty()) {
    std::string_view const word = leading_name(expression);
    expression.remove_prefix(word.empty() ? 1 : word.size());
    if (!word.empty() && !expression.starts_with("(")) f(word);
  }
}

/// Whether the axes of this name have one size: those of bare axes can be equal, and no two numbers
/// differ.
constexpr bool has_one_size(Shape const& shape, std::string_view name) {
  Axis first{};
  for (Axis const& axis : shape) {
    if (axis.name.view() != name || !axis.binds()) continue;
    if (!first.is_named()) first = axis;
    if (!sizes_agree(first, axis)) return false;
    if (axis.is_static()) first = axis;
  }
  return true;
}

/// Whether a name that an axis needs for its size has one: `n=3 n=4` are two axes, `n=3 n=4 n+1`
/// has no meaning; bare axes of one name have one size.
constexpr bool is_consistent(Shape const& shape, int axis) {
  Axis const& last = shape[axis];
  bool consistent = true;
  if (last.is_computed()) {
    for_each_name(last.expression.view(), [&](std::string_view name) {
      consistent = consistent && has_one_size(shape, name);
    });
  }
  for (int i = 0; i < axis; ++i) {
    if (have_one_size(shape[i], last)) consistent = consistent && sizes_agree(shape[i], last);
  }
  return consistent;
}

/// Whether the size of an axis follows from others: by an expression, or by the name of an earlier
/// bare axis.
constexpr bool depends(Shape const& shape, int axis) {
  if (shape[axis].is_computed()) return true;
  for (int i = 0; i < axis; ++i) {
    if (have_one_size(shape[i], shape[axis])) return true;
  }
  return false;
}

constexpr bool has_dependence(Shape const& shape) {
  for (int i = 0; i < shape.rank; ++i) {
    if (depends(shape, i)) return true;
  }
  return false;
}

/// Whether some expression has the name of an axis with a static size.
constexpr bool names_a_number(Shape const& shape) {
  bool found = false;
  for (Axis const& axis : shape) {
    if (!axis.is_computed()) continue;
    for_each_name(axis.expression.view(), [&](std::string_view name) {
      for (Axis const& other : shape)
        found = found || (other.is_static() && other.binds() && other.name.view() == name);
    });
  }
  return found;
}

/// An axis with the static sizes of its shape in its expression.
constexpr ReadAxis substituted(Shape const& shape, Axis const& axis) {
  if (!axis.is_computed()) return {axis, ""};
  ReadAxis const read = expression_axis(axis.expression.view(), &shape);
  if (!read.mistake.empty()) return {unrelated_axis(axis.name), read.mistake};
  return {resized(axis, symbolic_extent(read.axis)), ""};
}

/// Substitutes the static sizes of a shape in its expressions, and checks that a name that is used
/// has one size.
constexpr ResolvedAxes resolve(Shape const& shape) {
  if (!has_dependence(shape)) return {shape};
  ResolvedAxes result{};
  for (int i = 0; i < shape.rank; ++i) {
    ReadAxis const read = substituted(shape, shape[i]);
    result.shape[result.shape.rank++] = read.axis;
    std::string_view const why =
        is_consistent(shape, i) ? read.mistake : "one name stands for two sizes";
    if (result.mistake.empty() && !why.empty()) result.culprit = i, result.mistake = why;
  }
  return result;
}

}  // namespace tenon::internal
