#pragma once

#include <tenon/core/rules/join.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/ir/rows.hpp>

/// Determines what is one kernel: an elementwise tree over tensors. Reductions join it if they
/// reduce the last axes of the rows that the kernel walks anyway; everything else is evaluated
/// first, by a policy `First`: it evaluates, or makes a placeholder (`Earlier`) for a value. It has
///   operator()(e)                 the value of `e`, or its placeholder
///   reshaped_to<R>(value, sizes)  the same elements with the axes of an `R`
namespace tenon::internal {

/// Whether `First` evaluates an expression of type `E` in every context.
template <class First, class E>
inline constexpr bool evaluates = requires { requires First::template evaluates<E>; };

/// True where materializing returns the expression itself. (With `materializes_further`, reductions
/// and contractions are evaluated in any expression.)
template <class First, class E>
inline constexpr bool stays =
    is_materialized<E> && (!is_heavy<E> || !requires { First::materializes_further; });

template <bool is_first, class E, class First>
TENON_INLINE constexpr auto fused_or_value(E const& e, First const& first) {
  if constexpr (is_first || is_column_reduction<E> || evaluates<First, E>) return first(e);
  else return e;
}

/// A contraction is evaluated first; every other node has an overload.
template <class E, class First>
constexpr auto materialized(E const& e, First const& first) {
  if constexpr (is_contract<E>) return first(e);
  else return e;
}

/// Whether operand k of a map is repeated along some of the map's axes.
template <std::size_t k, class Node, class E>
constexpr bool is_repeated() {
  AxisMap const& map = Node::types::aligned.maps[k];
  int covered = 0;
  for (int i = 0; i < E::shape.rank; ++i) covered += map[static_cast<std::size_t>(i)] >= 0;
  return covered < Node::shape.rank;
}

/// Operand k of a map. A map over a column reduction, such as the division of a mean, is computed
/// before it is repeated, not once per element of the result.
template <std::size_t k, class Node, class E, class First>
TENON_INLINE constexpr auto materialized_operand(E const& e, First const& first) {
  if constexpr (stays<First, E>) {
    return e;
  } else if constexpr (is_map<E> && has_column_reduction<E>) {
    if constexpr (is_repeated<k, Node, E>()) return first(e);
    else return materialized(e, first);
  } else {
    return materialized(e, first);
  }
}

/// A map over materialized operands; those that cannot be part of its kernel are evaluated first.
template <class Op, class... E, class First>
constexpr auto fused_map(Elementwise<Op, E...> e, First const& first) {
  using Rows = MapRows<Op, E...>;
  if constexpr (stays<First, Elementwise<Op, E...>>) return e;
  else
    return with_operands(e, [&](auto const& operand, auto k) {
      return fused_or_value<Rows::is_first(k)>(operand, first);
    });
}

template <class Op, class... E, class First>
constexpr auto materialized(Elementwise<Op, E...> const& e, First const& first) {
  using Node = Elementwise<Op, E...>;
  if constexpr (stays<First, Node>) {
    return e;
  } else {
    auto const materialize = [&](auto const& x, auto k) {
      return materialized_operand<k, Node>(x, first);
    };
    return fused_map(with_operands(e, materialize), first);
  }
}

/// Views keep operands without reductions in the same kernel, and so do reductions over columns.
template <class E, class First>
constexpr auto materialized_over_rows(E const& e, First const& first) {
  return with_operands(e, [&](auto const& x, auto) {
    auto operand = materialized(x, first);
    return fused_or_value<has_reduction<decltype(operand)>>(operand, first);
  });
}
template <class E, PackedMap order, Spec S, class First>
constexpr auto materialized(IndexMap<E, order, S> const& e, First const& first) {
  if constexpr (stays<First, IndexMap<E, order, S>>) return e;
  else return materialized_over_rows(e, first);
}

/// Whether the rows of a reduction's operand are shorter than those of the reduction. They are
/// reduced first, in the kernel that computes them: so a loss over all elements is one number per
/// row, and the rows are never stored.
template <class Op, class E, int reductions>
inline constexpr bool reductions_rows_first = !op::PositionReduction<Op> && has_reduction<E> &&
                                              wanted_row<E> > 0 && wanted_row<E> < reductions;

/// A reduction over the last axes walks rows of its operand.
template <class Op, class E, AxisBits axes, bool keeps, class First>
constexpr auto materialized_last(ReductionNode<Op, E, axes, keeps> const& e, First const& first) {
  auto operand = materialized(operand_at<0>(e), first);
  using A = decltype(operand);
  constexpr int reductions = count_axes(axes);
  if constexpr (reductions_rows_first<Op, A, reductions>) {
    constexpr AxisBits own = last_axes(A::shape.rank, wanted_row<A>);
    return rebuilt(e, first(ReductionNode<Op, A, own, true>(std::move(operand))));
  } else {
    return rebuilt(
        e, fused_or_value<(has_reduction<A> && wanted_row<A> != reductions)>(operand, first));
  }
}

/// Any other reduction is one over the last axes of its transposed operand; where it keeps its
/// axes, they are transposed back afterwards.
template <class Op, class E, AxisBits axes, bool keeps, class First>
constexpr auto materialized_transposed(ReductionNode<Op, E, axes, keeps> const& e,
                                       First const& first) {
  using Last = ReducedLast<E, axes>;
  auto operand = materialized(operand_at<0>(e), first);
  auto transposed =
      index_map<Last>(fused_or_value<has_reduction<decltype(operand)>>(operand, first));
  ReductionNode<Op, decltype(transposed), Last::reduced, false> reduced(std::move(transposed));
  if constexpr (!keeps) return reduced;
  else
    return First::template reshaped_to<TensorOf<ReductionNode<Op, E, axes, keeps>>>(first(reduced),
                                                                                    e.sizes());
}

template <class Op, class E, AxisBits axes, bool keeps, class First>
constexpr auto materialized(ReductionNode<Op, E, axes, keeps> const& e, First const& first) {
  using Node = ReductionNode<Op, E, axes, keeps>;
  if constexpr (stays<First, Node>) return e;
  else if constexpr (ReducedLast<E, axes>::already) return materialized_last(e, first);
  else if constexpr (is_column_reduction<Node>) return materialized_over_rows(e, first);
  else return materialized_transposed(e, first);
}

}  // namespace tenon::internal

/// In a kernel that reduces lane by lane, a tensor whose elements are read several times, such as
/// the points `b` in the distances of points `a` and `b`, is copied with its reduced axes before
/// the one along which the kernel walks: the lanes then read consecutive elements.
namespace tenon::internal {

constexpr bool is_one(Shape const& shape, int axis) {
  return shape[axis].is_static() && shape[axis].size == 1;
}

/// The number of axes up to the last one that is not of static size 1. A kernel that reduces lane
/// by lane walks along that axis, also where its reductions keep theirs.
constexpr int walked_rank(Shape const& shape) {
  int rank = shape.rank;
  while (rank > 0 && is_one(shape, rank - 1)) --rank;
  return rank;
}

/// The axes of a part of a short reduction's operand.
struct PartAxes {
  int walked = -1;           ///< The one along which the kernel walks; -1: none.
  AxisBits reduced = 0;      ///< Those of the reduction, and
  AxisBits outer = 0;        ///< the others, without axes of static size 1.
  bool is_repeated = false;  ///< Whether the part is repeated along an outer axis.

  /// Those of an operand of a map.
  constexpr PartAxes of_operand(AxisMap const& map, int rank) const {
    AxisBits const own = operand_axes(map, rank, outer);
    return {operand_axis(map, rank, walked), operand_axes(map, rank, reduced), own,
            is_repeated || count_axes(own) < count_axes(outer)};
  }
};

/// Those of the whole operand of a reduction over its last axes.
constexpr PartAxes part_axes(Shape const& shape, AxisBits reduced) {
  PartAxes axes;
  for (int i = 0; i < shape.rank; ++i) {
    if (is_one(shape, i)) continue;
    if (has_axis(reduced, i)) axes.reduced |= 1u << i;
    else axes.outer |= 1u << (axes.walked = i);
  }
  if (axes.walked >= 0) axes.outer &= ~(1u << axes.walked);
  return axes;
}

template <class E>
inline constexpr bool is_tensor_or_view_of_one = TensorType<E>;
template <TensorType E, PackedMap order, Spec S>
inline constexpr bool is_tensor_or_view_of_one<IndexMap<E, order, S>> = true;

/// Whether any tensor of a part is packed.
template <class E, PartAxes axes>
inline constexpr bool packs =
    is_tensor_or_view_of_one<E> && axes.is_repeated && axes.walked >= 0 && axes.reduced != 0;
template <class Op, class... X, PartAxes axes>
inline constexpr bool packs<Elementwise<Op, X...>, axes> =
    []<std::size_t... k>(std::index_sequence<k...>) {
      constexpr auto const& maps = Elementwise<Op, X...>::types::maps;
      return (packs<X, axes.of_operand(maps[k], X::shape.rank)> || ...);
    }(std::index_sequence_for<X...>());

/// Whether a materialized expression is a kernel that reads packed tensors. Devices with memory of
/// their own choose other layouts.
template <class E>
inline constexpr bool packs_tensors = false;
template <class Op, class E, AxisBits axes, bool keeps>
  requires is_short_reduction<ReductionNode<Op, E, axes, keeps>>
inline constexpr bool packs_tensors<ReductionNode<Op, E, axes, keeps>> =
    E::device::is_host && packs<E, part_axes(E::shape, axes)>;
template <class Op, class... X>
  requires reduces_in_lanes<Elementwise<Op, X...>>
inline constexpr bool packs_tensors<Elementwise<Op, X...>> = (packs_tensors<X> || ...);

/// The order of axes that moves those of the reduction, then the walked one, to the end.
template <class E, PartAxes axes>
struct PackedOrder {
  static constexpr AxisMap order = [] {
    AxisMap result = reduced_last(axes.reduced | 1u << axes.walked, E::shape.rank);
    auto to = static_cast<std::size_t>(E::shape.rank - 1 - count_axes(axes.reduced));
    for (int i = 0; i < E::shape.rank; ++i)
      if (has_axis(axes.reduced, i)) result[to++] = static_cast<std::int8_t>(i);
    result[to] = static_cast<std::int8_t>(axes.walked);
    return result;
  }();
  static constexpr Shape shape = permuted(E::shape, order);
};
/// The order that undoes it.
template <class E, PartAxes axes>
struct UnpackedOrder {
  static constexpr AxisMap order = [] {
    AxisMap result{-1, -1, -1, -1, -1, -1, -1, -1};
    for (int i = 0; i < E::shape.rank; ++i) {
      auto const from = PackedOrder<E, axes>::order[static_cast<std::size_t>(i)];
      result[static_cast<std::size_t>(from)] = static_cast<std::int8_t>(i);
    }
    return result;
  }();
  static constexpr Shape const& shape = E::shape;
};

template <PartAxes axes, class E, class First>
constexpr auto pack_part(E const& e, First const& first) {
  if constexpr (!packs<E, axes>) {
    return e;
  } else if constexpr (is_map<E>) {
    return with_operands(e, [&](auto const& x, auto k) {
      return pack_part<axes.of_operand(E::types::maps[k], Unqualified<decltype(x)>::shape.rank)>(
          x, first);
    });
  } else {
    return index_map<UnpackedOrder<E, axes>>(first(index_map<PackedOrder<E, axes>>(E(e))));
  }
}

/// A materialized expression over packed tensors.
template <class E, class First>
constexpr auto with_packed_tensors(E const& e, First const&) {
  static_assert(!packs_tensors<E>);
  return e;
}
template <class Op, class E, AxisBits axes, bool keeps, class First>
  requires packs_tensors<ReductionNode<Op, E, axes, keeps>>
constexpr auto with_packed_tensors(ReductionNode<Op, E, axes, keeps> const& e, First const& first) {
  return rebuilt(e, pack_part<part_axes(E::shape, axes)>(operand_at<0>(e), first));
}
template <class Op, class... X, class First>
  requires packs_tensors<Elementwise<Op, X...>>
constexpr auto with_packed_tensors(Elementwise<Op, X...> const& e, First const& first) {
  return with_operands(e, [&](auto const& x, auto) { return with_packed_tensors(x, first); });
}

}  // namespace tenon::internal
