#pragma once

#include <cstdint>

#include <tenon/core/axis.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

constexpr bool names_agree(Axis const& a, Axis const& b) {
  return !a.is_named() || !b.is_named() || a.name == b.name;
}

/// Whether two expressions can be equal: not if they differ by a nonzero constant.
constexpr bool expressions_agree(Axis const& a, Axis const& b) {
  if (a.expression.empty() && b.expression.empty()) return true;
  AxisExtent const difference = symbolic_extent(a) - symbolic_extent(b);
  return !difference.is_constant() || difference.constant() == 0;
}

/// Whether two axes agree: equal names or one without, and sizes that can be equal. Run-time sizes
/// are checked at run time.
constexpr bool agree(Axis const& a, Axis const& b) {
  return names_agree(a, b) && sizes_agree(a, b) && expressions_agree(a, b);
}

/// Of two expressions that may be equal the one to keep: the shorter, then lexicographically.
constexpr FixedText const& simpler(FixedText const& a, FixedText const& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  if (a.length != b.length) return a.length < b.length ? a : b;
  return a.view() < b.view() ? a : b;
}

/// The merge of two agreeing axes: the name, the static size and the bounds of either.
constexpr Axis merge(Axis const& a, Axis const& b) {
  Axis result{};
  result.name = a.is_named() ? a.name : b.name;
  result.size = a.is_static() ? a.size : b.size;
  if (result.is_static()) return result;
  if (!result.is_named()) {
    result.expression = simpler(a.expression, b.expression);
    return result;
  }
  std::int64_t const lower = a.lower > b.lower ? a.lower : b.lower;
  std::int64_t const upper = a.upper < b.upper ? a.upper : b.upper;
  if (lower == upper) return named_axis(result.name.view(), lower);
  result.lower = lower;
  result.upper = upper;
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
  return resolve(result).shape;
}

}  // namespace tenon::internal
