#pragma once

#include <tenon/eval/frame/column.hpp>
#include <tenon/eval/frame/gather.hpp>
#include <tenon/eval/frame/shared.hpp>
#include <tenon/eval/frame/short.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/ir/axis_sets.hpp>
#include <tenon/ir/rows.hpp>

/// From the type of an expression to the type of the frame of its kernel. `inner` is the axis of
/// the node that the innermost run walks along (-1: none); `row` is the set of its axes that belong
/// to the row, one bit each.
namespace tenon::internal {

template <class M, int inner, AxisBits row, class E>
struct FrameOfNode;
template <class M, int inner, AxisBits row, class E>
using FrameOf = typename FrameOfNode<M, inner, row, E>::type;

constexpr FrameReach reach_of(bool by_one, int rank, int inner) {
  if (inner < 0) return FrameReach::spread;
  return by_one && inner == rank - 1 ? FrameReach::unit : FrameReach::strided;
}

template <class M, int inner, AxisBits row, TensorType E>
struct FrameOfNode<M, inner, row, E> {
  using type = LeafFrame<M, typename E::value_type, reach_of(true, E::shape.rank, inner)>;
};
template <class M, int inner, AxisBits row, class E, Spec S, bool by_one>
struct FrameOfNode<M, inner, row, Stepped<E, S, by_one>> {
  using Node = Stepped<E, S, by_one>;
  using type = LeafFrame<M, typename E::value_type, reach_of(by_one, Node::shape.rank, inner)>;
};
template <class M, int inner, AxisBits row, class T>
struct FrameOfNode<M, inner, row, ConstantNode<T>> {
  using type = ConstantFrame<M, T>;
};

template <class F>
inline constexpr bool is_row_value = false;
template <class M, class F>
inline constexpr bool is_row_value<ScalarFrame<M, F>> = true;
template <class M, class Op, class F>
inline constexpr bool is_row_value<ReductionFrame<M, Op, F>> = true;
template <class M, class Op, class F>
inline constexpr bool is_row_value<PositionFrame<M, Op, F>> = true;
template <class M, class T>
inline constexpr bool is_row_value<ConstantFrame<M, T>> = true;

/// A frame that does not vary along its row is computed once per row.
template <bool scalar, class M, class F>
using OnceARow = std::conditional_t<scalar && !is_row_value<F>, ScalarFrame<M, F>, F>;

/// The frame of operand k of a map.
template <class M, int inner, AxisBits row, std::size_t k, class Node, class E>
struct FrameOfOperand {
  static constexpr AxisMap map = Node::types::maps[k];
  static constexpr int own_inner = operand_axis(map, E::shape.rank, inner);
  static constexpr AxisBits own_row = operand_axes(map, E::shape.rank, row);
  using type = OnceARow<(row != 0 && own_row == 0), M, FrameOf<M, own_inner, own_row, E>>;
};

template <class M, class Op, class... F>
struct FrameOfMap {
  using type = MapFrame<M, Op, F...>;
};
/// Division of a row by the result of a reduction is multiplication by its reciprocal.
template <class M, class F>
using InverseFrame = ScalarFrame<M, MapFrame<M, op::Reciprocal, F>>;
template <bool reductions, class M, class A, class B>
struct FrameOfQuotient : FrameOfMap<M, op::Div, A, B> {};
template <class M, class A, class B>
  requires is_row_value<B>
struct FrameOfQuotient<true, M, A, B> : FrameOfMap<M, op::Mul, A, InverseFrame<M, B>> {};

template <class M, int inner, AxisBits row, class Node, class Op, class Operands, class Indices>
struct FrameOfElementwise;
template <class M, int inner, AxisBits row, class Node, class Op, class... E, std::size_t... k>
struct FrameOfElementwise<M, inner, row, Node, Op, Types<E...>, std::index_sequence<k...>>
    : FrameOfMap<M, Op, typename FrameOfOperand<M, inner, row, k, Node, E>::type...> {};
template <class M, int inner, AxisBits row, class Node, class A, class B>
struct FrameOfElementwise<M, inner, row, Node, op::Div, Types<A, B>, std::index_sequence<0, 1>>
    : FrameOfQuotient<(row != 0 && has_reduction<B> && std::floating_point<typename B::value_type>),
                      M, typename FrameOfOperand<M, inner, row, 0, Node, A>::type,
                      typename FrameOfOperand<M, inner, row, 1, Node, B>::type> {};

template <class M, int inner, AxisBits row, class Op, class... E>
struct FrameOfNode<M, inner, row, Elementwise<Op, E...>>
    : FrameOfElementwise<M, inner, row, Elementwise<Op, E...>, Op, Types<E...>,
                         std::index_sequence_for<E...>> {};

/// The axes that a run and a row walk along in the operand of a view.
template <int inner, AxisBits row, class Node>
struct WalkOfIndexMap {
  static constexpr AxisMap order = Node::order;
  static constexpr int own_inner =
      inner < 0 ? -1 : order[static_cast<std::size_t>(inner < 0 ? 0 : inner)];
  static constexpr AxisBits own_row = index_map_axes(order, Node::shape.rank, row);
};
template <class M, int inner, AxisBits row, class E, PackedMap order, Spec S>
struct FrameOfNode<M, inner, row, IndexMap<E, order, S>> {
  using Walk = WalkOfIndexMap<inner, row, IndexMap<E, order, S>>;
  using type = FrameOf<M, Walk::own_inner, Walk::own_row, E>;
};

template <class M, class Op, class F>
struct FrameOfReduction {
  using type = ReductionFrame<M, Op, F>;
};
template <class M, op::PositionReduction Op, class F>
struct FrameOfReduction<M, Op, F> {
  using type = PositionFrame<M, Op, F>;
};

/// The axes that a run and a row walk along in the operand of a reduction.
template <class Op, class E, AxisBits axes, bool keeps>
struct WalkOfReduction {
  static constexpr int rank = E::shape.rank, reductions = count_axes(axes);
  static constexpr bool is_column = is_column_reduction<ReductionNode<Op, E, axes, keeps>>;
  static constexpr int inner = is_column || reductions > 0 ? rank - 1 : -1;
  static constexpr AxisBits row =
      is_column ? axes | (1u << (rank - 1)) : last_axes(rank, reductions);
};
template <class M, int inner, AxisBits row, class Op, class E, AxisBits axes, bool keeps>
struct FrameOfNode<M, inner, row, ReductionNode<Op, E, axes, keeps>>
    : FrameOfReduction<M, Op,
                       FrameOf<M, WalkOfReduction<Op, E, axes, keeps>::inner,
                               WalkOfReduction<Op, E, axes, keeps>::row, E>> {};
template <class M, int inner, AxisBits row, class Op, class E, AxisBits axes, bool keeps>
  requires is_column_reduction<ReductionNode<Op, E, axes, keeps>>
struct FrameOfNode<M, inner, row, ReductionNode<Op, E, axes, keeps>> {
  using Walk = WalkOfReduction<Op, E, axes, keeps>;
  using type = ColumnFrame<M, Op, FrameOf<M, Walk::inner, Walk::row, E>>;
};

/// A short reduction in a kernel that walks along its result.
template <class M, int inner, AxisBits row, class Op, class E, AxisBits axes, bool keeps>
  requires(row != 0 && is_short_reduction<ReductionNode<Op, E, axes, keeps>>)
struct FrameOfNode<M, inner, row, ReductionNode<Op, E, axes, keeps>> {
  static constexpr int number = static_cast<int>(last_count(E::shape, count_axes(axes)));
  using type = ShortFrame<M, Op, FrameOf<M, inner, row | axes, E>, number>;
};

/// Whether the axes of the ids replace the gathered axis.
template <class E>
inline constexpr bool gathers_axis = false;
template <class Table, class Ids, int axis>
inline constexpr bool gathers_axis<Gather<Table, Ids, axis>> = true;

template <class M, class Table, class Ids, FrameReach reach, bool by_lane>
using FrameOfGather =
    GatherFrame<M, typename Table::value_type, typename Ids::value_type, reach, by_lane>;
template <class M, int inner, AxisBits row, class Table, class Ids, int axis>
struct FrameOfNode<M, inner, row, Gather<Table, Ids, axis>> {
  static constexpr int rank = Gather<Table, Ids, axis>::shape.rank;
  static constexpr bool by_lane = inner >= 0 && inner >= axis && inner < axis + Ids::rank;
  using type = FrameOfGather<M, Table, Ids, reach_of(axis < Table::rank - 1, rank, inner), by_lane>;
};
template <class M, int inner, AxisBits row, class Table, class Ids, int axis,
          template <class, class, int> class Node>
struct FrameOfNode<M, inner, row, Node<Table, Ids, axis>> {
  using type = FrameOfGather<M, Table, Ids, reach_of(false, 0, inner), (inner >= 0)>;
};

}  // namespace tenon::internal
