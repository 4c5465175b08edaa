#pragma once

#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/reduction/reduction.hpp>
#include <tenon/expr/view/index_map.hpp>
#include <tenon/ir/axis_sets.hpp>

/// The rows over which the reductions of an expression need its kernel to run, and whether they are
/// compatible.
namespace tenon::internal {

/// A reduction over columns: it keeps its last axis, along which its kernel walks, and is the root
/// of the kernel.
template <class E>
inline constexpr bool is_column_reduction = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_column_reduction<ReductionNode<Op, E, axes, keeps>> =
    axes != 0 && !has_axis(axes, E::shape.rank - 1) && !op::PositionReduction<Op>;

/// Whether an expression has such a reduction in its kernel.
template <class E>
inline constexpr bool has_column_reduction = is_column_reduction<E>;
template <class Op, class... E>
inline constexpr bool has_column_reduction<Elementwise<Op, E...>> =
    (has_column_reduction<E> || ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool has_column_reduction<IndexMap<E, order, S>> = has_column_reduction<E>;

/// Whether a materialized expression contains a reduction over rows.
template <class E>
inline constexpr bool has_reduction = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool has_reduction<ReductionNode<Op, E, axes, keeps>> =
    !is_column_reduction<ReductionNode<Op, E, axes, keeps>>;
template <class Op, class... E>
inline constexpr bool has_reduction<Elementwise<Op, E...>> = (has_reduction<E> || ...);

/// The number of its result's axes, counted from the last, that an operand with reductions leaves
/// to the row: it must have all the others, in order. -1: it does not.
constexpr int row_left_by(AxisMap const& map, int operand_rank, int rank) {
  int covered = 0;
  for (int i = 0; i < operand_rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis < 0) continue;
    if (axis != covered) return -1;
    ++covered;
  }
  return rank - covered;
}

/// The number of row axes that a materialized expression with reductions needs.
template <class E>
inline constexpr int wanted_row = 0;

/// The row that operand k of a map needs; -1: it cannot be part of any.
template <std::size_t k, class Node, class E>
constexpr int operand_row() {
  constexpr int left = row_left_by(Node::types::maps[k], E::shape.rank, Node::shape.rank);
  if constexpr (left < 0) return -1;
  else if constexpr (left == 0) return wanted_row<E>;
  else return wanted_row<E> == 0 ? left : -1;
}

/// The rows that the operands of a map need: `has[k]` if operand k has reductions.
template <class Op, class... E>
struct MapRows {
  static constexpr std::size_t size = sizeof...(E);
  static constexpr std::array<bool, size> has{has_reduction<E>...};
  static constexpr std::array<int, size> wants = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array<int, size>{operand_row<k, Elementwise<Op, E...>, E>()...};
  }(std::make_index_sequence<size>());

  /// The row of the map: that of the first operand that can be part of one.
  static constexpr int row() {
    for (std::size_t k = 0; k < size; ++k) {
      if (has[k] && wants[k] >= 0) return wants[k];
    }
    return 0;
  }
  /// Whether operand k must be evaluated first.
  static constexpr bool is_first(std::size_t k) { return has[k] && wants[k] != row(); }
  static constexpr bool any_first() {
    for (std::size_t k = 0; k < size; ++k) {
      if (is_first(k)) return true;
    }
    return false;
  }
};

template <class Op, class... E>
  requires(has_reduction<E> || ...)
inline constexpr int wanted_row<Elementwise<Op, E...>> = MapRows<Op, E...>::row();

/// The number of elements along the last `number` axes; 0 where it is not static.
constexpr std::int64_t last_count(Shape const& shape, int number) {
  std::int64_t count = 1;
  for (int i = shape.rank - number; i < shape.rank; ++i)
    count *= shape[i].is_static() ? shape[i].size : 0;
  return count;
}

/// The longest reduction whose elements are combined lane by lane.
inline constexpr std::int64_t longest_short_reduction = 8;

/// Whether a materialized reduction over the last axes is short: a kernel may walk along another
/// axis and reduce lane by lane.
template <class E>
inline constexpr bool is_short_reduction = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_short_reduction<ReductionNode<Op, E, axes, keeps>> = [] {
  constexpr int reduced = count_axes(axes);
  constexpr std::int64_t count = last_count(E::shape, reduced);
  return axes != 0 && axes == last_axes(E::shape.rank, reduced) && reduced < E::shape.rank &&
         count > 0 && count <= longest_short_reduction && !has_reduction<E> &&
         !op::PositionReduction<Op>;
}();

/// Whether a materialized expression reduces lane by lane: all its reductions are short, and every
/// element of them is read once. (A reduction that a map repeats along a row is computed once a
/// row.)
template <class E>
inline constexpr bool reduces_in_lanes = is_short_reduction<E>;
template <class Op, class... E>
inline constexpr bool reduces_in_lanes<Elementwise<Op, E...>> =
    has_reduction<Elementwise<Op, E...>> && wanted_row<Elementwise<Op, E...>> == 0 &&
    ((!has_reduction<E> || reduces_in_lanes<E>)&&...);

constexpr bool is_one(Shape const& shape, int axis) {
  return shape[axis].is_static() && shape[axis].size == 1;
}

/// The number of axes up to the last one that is not of static size 1. A kernel that reduces lane
/// by lane walks along that axis, also where its reductions keep theirs.
constexpr int rank_of_walk(Shape const& shape) {
  int rank = shape.rank;
  while (rank > 0 && is_one(shape, rank - 1)) --rank;
  return rank;
}

/// The most elements that a reduction over the last axes reduces to one; 0 where that is not
/// static.
template <class E>
inline constexpr std::int64_t longest_reduction = 0;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr std::int64_t longest_reduction<ReductionNode<Op, E, axes, keeps>> =
    last_count(E::shape, count_axes(axes));
template <class Op, class... E>
inline constexpr std::int64_t longest_reduction<Elementwise<Op, E...>> =
    (std::max)({longest_reduction<E>...});

/// The order of axes that moves the reduced ones to the end.
constexpr AxisMap reduced_last(AxisBits axes, int rank) {
  AxisMap order{-1, -1, -1, -1, -1, -1, -1, -1};
  std::size_t next = 0;
  for (bool const reductions : {false, true}) {
    for (int i = 0; i < rank; ++i) {
      if (has_axis(axes, i) == reductions) order[next++] = static_cast<std::int8_t>(i);
    }
  }
  return order;
}

/// The axes of a reduction's operand with the reduced ones last.
template <class E, AxisBits axes>
struct ReducedLast {
  static constexpr AxisMap order = reduced_last(axes, E::shape.rank);
  static constexpr Shape shape = permuted(E::shape, order);
  static constexpr AxisBits reduced = last_axes(E::shape.rank, count_axes(axes));
  static constexpr bool already = axes == reduced;  ///< True also if no axis is reduced.
};

/// Whether no part of an expression must be evaluated before its kernel runs.
template <class E>
inline constexpr bool is_materialized = !is_contract<E>;
template <class Op, class... E>
inline constexpr bool is_materialized<Elementwise<Op, E...>> =
    ((is_materialized<E> && !is_column_reduction<E>)&&...);
template <class Op, class... E>
  requires(has_reduction<E> || ...)
inline constexpr bool is_materialized<Elementwise<Op, E...>> =
    ((is_materialized<E> && !is_column_reduction<E>)&&...) && !MapRows<Op, E...>::any_first();
template <class E, PackedMap order, Spec S>
inline constexpr bool is_materialized<IndexMap<E, order, S>> =
    is_materialized<E> && !has_reduction<E> && !is_column_reduction<E>;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_materialized<ReductionNode<Op, E, axes, keeps>> =
    is_materialized<E> && !is_column_reduction<E> &&
    (ReducedLast<E, axes>::already
         ? !has_reduction<E> || wanted_row<E> == count_axes(axes)
         : is_column_reduction<ReductionNode<Op, E, axes, keeps>> && !has_reduction<E>);

}  // namespace tenon::internal
