#pragma once

#include <array>
#include <cstdint>

#include <tenon/core/axis.hpp>
#include <tenon/core/rules/capture.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

constexpr bool names_agree(Axis const& a, Axis const& b) {
  return !a.is_named() || !b.is_named() || a.name == b.name;
}

/// Whether two axes agree: equal names or one without, and sizes that can be equal. Numbers are
/// compared here, sizes known at run time when two values meet: `t` and `t=t-1` agree.
constexpr bool agree(Axis const& a, Axis const& b) {
  return names_agree(a, b) && sizes_agree(a, b);
}

/// Whether two axes of one shape can have one size: not if their sizes in names, which are real
/// relations there, differ by a nonzero constant.
constexpr bool can_be_equal(Axis const& a, Axis const& b) {
  AxisExtent const difference = symbolic_extent(a) - symbolic_extent(b);
  return sizes_agree(a, b) && (!difference.is_constant() || difference.constant() == 0);
}

/// Of two expressions the one to keep: the shorter, then lexicographically; `_` only where both
/// are.
constexpr FixedText const& simpler(Axis const& a, Axis const& b) {
  if (!a.is_computed()) return b.expression.empty() ? a.expression : b.expression;
  if (!b.is_computed()) return a.expression;
  if (a.expression.length != b.expression.length)
    return a.expression.length < b.expression.length ? a.expression : b.expression;
  return a.expression.view() < b.expression.view() ? a.expression : b.expression;
}

/// The bounds of two axes of one run-time size.
constexpr Axis bounded(FixedText const& name, Axis const& a, Axis const& b) {
  std::int64_t const lower = a.lower > b.lower ? a.lower : b.lower;
  std::int64_t const upper = a.upper < b.upper ? a.upper : b.upper;
  if (lower == upper) return named_axis(name.view(), lower);
  Axis result = named_axis(name.view());
  result.lower = lower;
  result.upper = upper;
  return result;
}

/// The merge of two agreeing axes: the name of either, and a number, else the name as the size,
/// else an expression, else `_`.
constexpr Axis merge(Axis const& a, Axis const& b) {
  FixedText const& name = a.is_named() ? a.name : b.name;
  if (a.is_static() || b.is_static())
    return named_axis(name.view(), a.is_static() ? a.size : b.size);
  if (a.is_bare() || b.is_bare()) return bounded(name, a, b);
  Axis result = unrelated_axis(name);
  if (FixedText const& text = simpler(a, b); !text.empty()) result.expression = text;
  return result;
}

/// Whether a value of one shape can be stored in the other: axis by axis, in order, without
/// broadcasting.
constexpr bool assignable(Shape const& to, Shape const& from) {
  if (to.rank != from.rank) return false;
  for (int i = 0; i < to.rank; ++i) {
    if (!agree(to[i], from[i])) return false;
  }
  return true;
}

/// The static information on a value that has both shapes, which are assignable.
constexpr Shape merged(Shape const& a, Shape const& b) {
  Shape result{};
  for (int i = 0; i < a.rank; ++i) result[result.rank++] = merge(a[i], b[i]);
  std::array<AxisScope, 2> const operands{{{a, same_order(a.rank)}, {b, same_order(b.rank)}}};
  return resolve(without_captures(result, operands)).shape;
}

}  // namespace tenon::internal
