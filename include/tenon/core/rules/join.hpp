#pragma once

#include <cstdint>

#include <tenon/core/axis.hpp>
#include <tenon/core/rules/align.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

// Axes whose size changes: the name is dropped, the size is computed where possible.

/// The axis of a concatenation: `n` and `m` give `m+n`, 3 and 4 give 7, `_` gives `_`.
constexpr Axis sum_of(Axis const& a, Axis const& b) {
  return axis_of(symbolic_extent(a) + symbolic_extent(b));
}

/// An axis longer by `added` elements: `(n+1)` and -1 make `n`.
constexpr Axis plus(Axis const& axis, std::int64_t added) {
  return added == 0 ? axis : axis_of(symbolic_extent(axis) + number_extent(added));
}

/// An axis cut or padded to a size, or to one known only at run time.
constexpr Axis resized(Axis const& axis, std::int64_t size) {
  if (size == dynamic) return Axis{};
  return axis.size == size ? axis : axis_of_size(size);
}

/// A shape with one axis replaced.
constexpr Shape with_axis(Shape const& shape, int axis, Axis const& replacement) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    result[result.rank++] = i == axis ? replacement : shape[i];
  }
  return resolve(result).shape;
}

/// A shape with one more axis at position `at`; the rank is below the maximum.
constexpr Shape inserted(Shape const& shape, int at, Axis const& axis) {
  Shape result{};
  for (int i = 0; i <= shape.rank; ++i) {
    result[result.rank++] = i == at ? axis : shape[i < at ? i : i - 1];
  }
  return resolve(result).shape;
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
