#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/language/algebra.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// The size of an axis: its number, its expression or its name.
constexpr AxisExtent symbolic_extent(Axis const& axis) {
  if (axis.is_static()) return number_extent(axis.size);
  if (axis.is_computed()) return read_extent(axis.expression.view()).extent;
  return axis.is_bare() ? name_extent(axis.name.view()) : unknown_extent();
}

constexpr Axis axis_of_size(std::int64_t size) {
  Axis axis{};
  axis.size = size;
  return axis;
}

constexpr Axis named_axis(std::string_view name, std::int64_t size = dynamic) {
  Axis axis{};
  axis.name = FixedText(name);
  axis.size = size;
  return axis;
}

/// `t=_` for the name t, `_` without a name: a size known at run time, without a relation.
constexpr Axis unrelated_axis(FixedText const& name) {
  Axis axis{};
  axis.name = name;
  if (axis.is_named()) axis.expression = FixedText("_");
  return axis;
}

/// The axis of a computed size without a name: `7`, `n`, `n+1`, or `_` where it has no
/// representation.
constexpr Axis axis_of(AxisExtent const& extent) {
  if (!extent.known || (extent.is_constant() && extent.constant() < 0)) return Axis{};
  if (extent.is_constant()) return axis_of_size(extent.constant());
  auto const text = written(extent);
  if (text.full) return Axis{};
  if (is_name(text.view())) return named_axis(text.view());
  Axis axis{};
  axis.expression = FixedText(text.view());
  return axis;
}

/// A longer size in names is written `_` beside the name of its axis.
inline constexpr std::size_t longest_size = 31;

/// An axis of another size, with the name: `pixel=10`, `t=t-1`, `t=_`. Bounds are dropped.
constexpr Axis resized(Axis const& axis, AxisExtent const& extent) {
  Axis const size = axis_of(extent);
  if (!axis.is_named()) return size;
  if (size.is_static()) return named_axis(axis.name.view(), size.size);
  if (size.name == axis.name) return named_axis(axis.name.view());
  FixedText const& text = size.is_named() ? size.name : size.expression;
  Axis result = unrelated_axis(axis.name);
  if (!text.empty() && text.length <= longest_size) result.expression = text;
  return result;
}

}  // namespace tenon::internal
