#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tenon/core/axis.hpp>
#include <tenon/core/rules/align.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

// Axes whose size changes: the name stays, the size is computed where possible.

/// Whether two symbolic sizes have a name in common.
constexpr bool shares_a_name(AxisExtent const& a, AxisExtent const& b) {
  bool shared = false;
  for (ExtentTerm const& term : a) {
    for_each_name(term.atoms.view(), [&](std::string_view name) {
      for (ExtentTerm const& other : b) {
        for_each_name(other.atoms.view(),
                      [&](std::string_view there) { shared = shared || name == there; });
      }
    });
  }
  return shared;
}

/// The axis of a concatenation of axes of different operands: `t=n` and `t=m` give `t=m+n`, 3 and 4
/// give 7. A name that both sizes have, as in `t` and `t`, need not mean one size: `t=_`. Axes of
/// different names give one without a name.
constexpr Axis sum_of(Axis const& a, Axis const& b) {
  AxisExtent const left = symbolic_extent(a), right = symbolic_extent(b);
  AxisExtent const sum = shares_a_name(left, right) ? unknown_extent() : left + right;
  return names_agree(a, b) ? resized(a.is_named() ? a : b, sum) : axis_of(sum);
}

/// An axis longer by `added` elements: `t=t+1` and -1 make `t`.
constexpr Axis plus(Axis const& axis, std::int64_t added) {
  return added == 0 ? axis : resized(axis, symbolic_extent(axis) + number_extent(added));
}

/// An axis cut or padded to a size, or to one known only at run time.
constexpr Axis resized(Axis const& axis, std::int64_t size) {
  if (size == dynamic) return unrelated_axis(axis.name);
  return axis.size == size ? axis : resized(axis, number_extent(size));
}

/// A shape with one axis replaced.
constexpr Shape with_axis(Shape const& shape, int axis, Axis const& replacement) {
  Shape result{};
  AxisMap to = same_order(shape.rank);
  to[static_cast<std::size_t>(axis)] =
      static_cast<std::int8_t>(replacement == shape[axis] ? axis : -1);
  for (int i = 0; i < shape.rank; ++i) {
    result[result.rank++] = i == axis ? replacement : shape[i];
  }
  return resolve(without_captures(result, shape, to)).shape;
}

/// The axes of `ids` in place of axis `axis` of `table`.
constexpr Shape spliced(Shape const& table, int axis, Shape const& ids) {
  Shape result{};
  AxisMap to = no_axes(), of_ids = no_axes();
  auto const next = [&] { return static_cast<std::int8_t>(result.rank); };
  for (int i = 0; i < table.rank; ++i) {
    if (i != axis) to[static_cast<std::size_t>(i)] = next(), result[result.rank++] = table[i];
    for (int k = 0; k < ids.rank && i == axis; ++k)
      of_ids[static_cast<std::size_t>(k)] = next(), result[result.rank++] = ids[k];
  }
  return resolve(without_captures(result, std::array<AxisScope, 2>{{{table, to}, {ids, of_ids}}}))
      .shape;
}

/// A shape with one more axis at position `at`, from another shape; the rank is below the maximum.
constexpr Shape inserted(Shape const& shape, int at, Axis const& axis) {
  Shape result{}, added{};
  AxisMap to = no_axes(), of_added = no_axes();
  added[added.rank++] = axis;
  of_added[0] = static_cast<std::int8_t>(at);
  for (int i = 0; i <= shape.rank; ++i) {
    if (i != at) to[static_cast<std::size_t>(i < at ? i : i - 1)] = static_cast<std::int8_t>(i);
    result[result.rank++] = i == at ? axis : shape[i < at ? i : i - 1];
  }
  std::array<AxisScope, 2> const operands{{{shape, to}, {added, of_added}}};
  return resolve(without_captures(result, operands)).shape;
}

constexpr Shape removed(Shape const& shape, int axis) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    if (i != axis) result[result.rank++] = shape[i];
  }
  return result;
}

/// A shape with permuted axes: for each axis of the result the axis of the operand.
constexpr Shape permuted(Shape const& shape, AxisMap const& order) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    result[result.rank++] = shape[order[static_cast<std::size_t>(i)]];
  }
  return result;
}

}  // namespace tenon::internal
