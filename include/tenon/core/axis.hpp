#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/language/division.hpp>
#include <tenon/core/language/expression.hpp>
#include <tenon/core/language/extent.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// The static size of the axis of a name, or `dynamic`. Among axes of one name a size other than 1
/// takes precedence: `keep` produces `n=1` beside `n`.
constexpr std::int64_t static_size(Shape const& shape, std::string_view name) {
  std::int64_t size = dynamic;
  for (Axis const& axis : shape) {
    if (axis.name.view() != name) continue;
    size = axis.size;
    if (!axis.is_one()) return size;
  }
  return size;
}

/// Represents the absence of a shape. (With -fsanitize=undefined g++ 12 cannot compare addresses
/// with null in constant expressions.)
inline constexpr Shape no_shape{};

/// Expressions parsed to polynomials in normal form, with the static sizes of a shape substituted.
struct ExtentAlgebra {
  using Value = AxisExtent;
  Shape const* shape = &no_shape;

  constexpr AxisExtent number(std::int64_t value) const { return number_extent(value); }
  constexpr AxisExtent name(std::string_view name) const {
    std::int64_t const size = static_size(*shape, name);
    return size == dynamic ? name_extent(name) : number_extent(size);
  }
  constexpr AxisExtent add(AxisExtent const& a, AxisExtent const& b) const { return a + b; }
  constexpr AxisExtent subtract(AxisExtent const& a, AxisExtent const& b) const { return a - b; }
  constexpr AxisExtent multiply(AxisExtent const& a, AxisExtent const& b) const { return a * b; }
  constexpr AxisExtent divide(AxisExtent const& a, AxisExtent const& b) const {
    return quotient(a, b);
  }
  constexpr AxisExtent modulo(AxisExtent const& a, AxisExtent const& b) const {
    return remainder(a, b);
  }
  constexpr AxisExtent minimum(AxisExtent const& a, AxisExtent const& b) const {
    return internal::minimum(a, b);
  }
  constexpr bool is_zero(AxisExtent const& a) const { return tenon::internal::is_zero(a); }
};

/// An extent, or the reason why the text is not one.
struct ReadExtent {
  AxisExtent extent{};
  std::string_view mistake{};
};

/// Parses an expression, in the axes of a shape if one is given.
constexpr ReadExtent read_extent(std::string_view expression, Shape const* shape = &no_shape) {
  ExpressionReader<ExtentAlgebra> reader{expression, {shape}};
  AxisExtent const extent = reader.whole();
  return {extent, reader.mistake};
}

/// The size of an axis: its number, its name or its expression.
constexpr AxisExtent symbolic_extent(Axis const& axis) {
  if (axis.is_static()) return number_extent(axis.size);
  if (axis.is_named()) return name_extent(axis.name.view());
  return axis.expression.empty() ? unknown_extent() : read_extent(axis.expression.view()).extent;
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

/// The axis of a computed size: `7`, `n`, `n+1`, or `_` where it has no representation.
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

}  // namespace tenon::internal
