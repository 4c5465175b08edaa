#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/core/axis.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

/// A size in names has a meaning in the shape where it was computed. It stays in the result of an
/// operation only if each of its names is bound there by the axis that bound it in the operand, or
/// by none; else it is `_`: in `matmul("t d", "d k=t-1")` the two t are different sizes.
namespace tenon::internal {

/// For each axis of an operand the axis of the result, or -1: broadcast (static size 1), dropped.
using AxisMap = std::array<std::int8_t, max_rank>;

constexpr AxisMap no_axes() {
  AxisMap map{};
  for (auto& axis : map) axis = -1;
  return map;
}

/// The first `count` axes of an operand are those of the result.
constexpr AxisMap same_order(int count) {
  AxisMap map = no_axes();
  for (int i = 0; i < count; ++i) map[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i);
  return map;
}

/// An operand, and for each of its axes the axis of the result that has its size, or -1.
struct AxisScope {
  Shape const& shape;
  AxisMap to;

  constexpr bool maps(int axis, int result_axis) const {
    return to[static_cast<std::size_t>(axis)] == result_axis;
  }

  /// Whether an axis of the result has its size from an axis of this operand that binds the name.
  constexpr bool binds(std::string_view name, int result_axis) const {
    for (int i = 0; i < shape.rank; ++i) {
      if (maps(i, result_axis) && shape[i].binds() && shape[i].name.view() == name) return true;
    }
    return false;
  }

  /// Whether the names of an expression have the same meaning in the result.
  constexpr bool keeps(FixedText const& expression, Shape const& result) const {
    bool same = true;
    for_each_name(expression.view(), [&](std::string_view name) {
      for (int i = 0; i < result.rank; ++i) {
        bool const bound = result[i].binds() && result[i].name.view() == name;
        same = same && (!bound || binds(name, i));
      }
    });
    return same;
  }

  /// Whether bare axes of one name, which have one size, can have it in the result.
  constexpr bool is_consistent(Shape const& result) const {
    for (int i = 0; i < shape.rank; ++i) {
      for (int k = 0; k < i; ++k) {
        int const one = to[static_cast<std::size_t>(i)], other = to[static_cast<std::size_t>(k)];
        bool const same = have_one_size(shape[i], shape[k]);
        if (same && one >= 0 && other >= 0 && !sizes_agree(result[one], result[other]))
          return false;
      }
    }
    return true;
  }

  /// Whether an axis of the result has its expression from this operand.
  constexpr bool has(FixedText const& expression, int result_axis) const {
    for (int i = 0; i < shape.rank; ++i) {
      if (maps(i, result_axis) && shape[i].expression == expression) return true;
    }
    return false;
  }
};

/// The result without expressions whose names mean something else there. An expression that no
/// operand has was computed by the operation, from names of all of them.
template <std::size_t N>
constexpr Shape without_captures(Shape const& result, std::array<AxisScope, N> const& operands) {
  Shape kept{};
  for (int i = 0; i < result.rank; ++i) {
    Axis const& axis = result[i];
    bool from_operand = false, one = false, all = true;
    for (AxisScope const& operand : operands) {
      if (!axis.is_computed()) break;
      bool const has = operand.has(axis.expression, i),
                 keeps = operand.keeps(axis.expression, result);
      from_operand = from_operand || has;
      one = one || (has && keeps);
      all = all && keeps;
    }
    kept[kept.rank++] = (from_operand ? one : all) ? axis : unrelated_axis(axis.name);
  }
  return kept;
}

constexpr Shape without_captures(Shape const& result, Shape const& operand, AxisMap const& to) {
  return without_captures(result, std::array<AxisScope, 1>{{{operand, to}}});
}

}  // namespace tenon::internal
