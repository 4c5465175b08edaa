#pragma once

#include <tenon/core/rules/join.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/ir/rows.hpp>

/// In a kernel that reduces lane by lane, a tensor whose elements are read several times, such as
/// the points `b` in the distances of points `a` and `b`, is copied with its reduced axes before
/// the one along which the kernel walks: the lanes then read consecutive elements.
namespace tenon::internal {

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
constexpr auto pack_tensors(E const& e, First const&) {
  static_assert(!packs_tensors<E>);
  return e;
}
template <class Op, class E, AxisBits axes, bool keeps, class First>
  requires packs_tensors<ReductionNode<Op, E, axes, keeps>>
constexpr auto pack_tensors(ReductionNode<Op, E, axes, keeps> const& e, First const& first) {
  return rebuilt(e, pack_part<part_axes(E::shape, axes)>(operand_at<0>(e), first));
}
template <class Op, class... X, class First>
  requires packs_tensors<Elementwise<Op, X...>>
constexpr auto pack_tensors(Elementwise<Op, X...> const& e, First const& first) {
  return with_operands(e, [&](auto const& x, auto) { return pack_tensors(x, first); });
}

}  // namespace tenon::internal
