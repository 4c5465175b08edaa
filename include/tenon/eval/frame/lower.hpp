#pragma once

#include <tenon/eval/axis_sets.hpp>
#include <tenon/eval/frame/gather.hpp>
#include <tenon/eval/frame/map.hpp>
#include <tenon/eval/frame/position.hpp>
#include <tenon/eval/frame/row.hpp>
#include <tenon/eval/settle.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/expr/node.hpp>

/// From a recipe to the frame of its kernel. `inner` is the axis of the node that the innermost run
/// walks along (-1: none); `row` is the set of its axes that belong to the row, one bit each.
namespace tenon {

template <class T>
void add_elements(std::byte* to, std::byte const* from, std::int64_t count) {
  T* const sum = reinterpret_cast<T*>(to);
  T const* const more = reinterpret_cast<T const*>(from);
  for (std::int64_t i = 0; i < count; ++i) sum[i] = sum[i] + more[i];
}

constexpr FrameReach reach_of(int rank, int inner) {
  if (inner < 0) return FrameReach::spread;
  return inner == rank - 1 ? FrameReach::unit : FrameReach::strided;
}

/// Whole row-major memory. (The strides are written where they stay: a register of them that is
/// read while they are on their way to the cache, one by one, waits for that.)
MemoryAccess access_to_memory(void const* data, Sizes const& sizes, int rank,
                              std::size_t element_bytes);

template <class E>
MemoryAccess access_to(E const& tensor, Tape* tape) {
  using T = typename E::value_type;
  MemoryAccess access =
      access_to_memory(internal::stored_elements(tensor), tensor.sizes(), E::shape.rank, sizeof(T));
  using Sum = Computed<T>;
  if constexpr (std::is_floating_point_v<Sum>) {
    access.add = &add_elements<Sum>;
    if (tape == nullptr) return access;
    access.gradient =
        tape->gradient_of(tensor.mark(), access.count, sizeof(Sum), access.gradient_is_new);
    access.element_bytes = sizeof(Sum);  // in a sweep they are those of adjoints
  }
  return access;
}

template <class M, int inner, AxisBits row, TensorType E>
auto lower(E const& tensor, Tape* tape) {
  return LeafFrame<M, typename E::value_type, reach_of(E::shape.rank, inner)>{
      access_to(tensor, tape)};
}

template <class M, int inner, AxisBits row, class E, Spec S, bool by_one>
auto lower(Stepped<E, S, by_one> const& e, Tape* tape) {
  constexpr bool is_last = by_one && inner == Stepped<E, S, by_one>::shape.rank - 1;
  constexpr FrameReach reach = inner < 0 ? FrameReach::spread
                               : is_last ? FrameReach::unit
                                         : FrameReach::strided;
  MemoryAccess access = access_to(operand_at<0>(e), tape);
  access.stride = e.steps.along;
  access.start = e.steps.start;
  access.shares_gradient = e.steps.overlaps;
  return LeafFrame<M, typename E::value_type, reach>{access};
}

template <class M, int inner, AxisBits row, class T>
auto lower(ConstantNode<T> const& constant, Tape*) {
  return ConstantFrame<M, T>{constant.value};
}

template <class F>
inline constexpr bool is_row_value = false;
template <class M, class F>
inline constexpr bool is_row_value<ScalarFrame<M, F>> = true;
template <class M, class Op, class F>
inline constexpr bool is_row_value<FoldFrame<M, Op, F>> = true;
template <class M, class Op, class F>
inline constexpr bool is_row_value<PositionFrame<M, Op, F>> = true;
template <class M, class T>
inline constexpr bool is_row_value<ConstantFrame<M, T>> = true;

/// The frame of an operand; one that does not vary along its row becomes a row scalar. (Frames are
/// returned as they are made: they are large, and are never copied on their way up.)
template <class M, int inner, AxisBits row, bool scalar, class E>
[[gnu::always_inline]] inline auto lower_once_a_row(E const& e, Tape* tape) {
  using F = decltype(lower<M, inner, row>(e, tape));
  if constexpr (scalar && !is_row_value<F>) return ScalarFrame<M, F>(lower<M, inner, row>(e, tape));
  else return lower<M, inner, row>(e, tape);
}

constexpr bool keeps_places(AxisMap const& map, int rank) {
  for (int i = 0; i < rank; ++i) {
    if (map[static_cast<std::size_t>(i)] != i) return false;
  }
  return true;
}

/// Operand k of a map.
template <class M, int inner, AxisBits row, std::size_t k, class Node, class E>
[[gnu::always_inline]] inline auto lower_operand(E const& operand, Tape* tape) {
  constexpr AxisMap map = Node::types::maps[k];
  constexpr int rank = E::shape.rank;
  constexpr AxisBits own_row = operand_axes(map, rank, row);
  constexpr int own_inner = operand_axis(map, rank, inner);
  constexpr bool scalar = row != 0 && own_row == 0;
  auto frame = lower_once_a_row<M, own_inner, own_row, scalar>(operand, tape);
  if constexpr (!keeps_places(map, rank)) accesses_of(frame).lift(map, rank);
  return frame;
}

template <class M, int inner, AxisBits row, class Node, std::size_t... k>
auto lower_map(Node const& e, Tape* tape, std::index_sequence<k...>) {
  return MapFrame<M, typename Node::op,
                  decltype(lower_operand<M, inner, row, k, Node>(operand_at<k>(e), tape))...>{
      {{lower_operand<M, inner, row, k, Node>(operand_at<k>(e), tape)}...}};
}
template <class M, int inner, AxisBits row, class Op, class... E>
auto lower(Elementwise<Op, E...> const& e, Tape* tape) {
  return lower_map<M, inner, row>(e, tape, std::index_sequence_for<E...>());
}

/// A row that is divided by the result of a fold is multiplied by its reciprocal.
template <class M, int inner, AxisBits row, class A, class B>
  requires(row != 0 && has_fold<B> && std::floating_point<typename B::value_type>)
auto lower(Elementwise<op::Div, A, B> const& e, Tape* tape) {
  using Node = Elementwise<op::Div, A, B>;
  auto a = lower_operand<M, inner, row, 0, Node>(operand_at<0>(e), tape);
  auto b = lower_operand<M, inner, row, 1, Node>(operand_at<1>(e), tape);
  if constexpr (is_row_value<decltype(b)>) {
    auto inverse = map_frame<M, op::Reciprocal>(b);
    return map_frame<M, op::Mul>(a, ScalarFrame<M, decltype(inverse)>(inverse));
  } else {
    return map_frame<M, op::Div>(a, b);
  }
}

template <class M, int inner, AxisBits row, class E, PackedMap order, Spec S>
auto lower(Moved<E, order, S> const& e, Tape* tape) {
  constexpr int rank = Moved<E, order, S>::shape.rank;
  constexpr AxisMap map = Moved<E, order, S>::order;
  constexpr int own_inner = inner < 0 ? -1 : map[static_cast<std::size_t>(inner < 0 ? 0 : inner)];
  auto frame = lower<M, own_inner, moved_axes(map, rank, row)>(operand_at<0>(e), tape);
  accesses_of(frame).move(map, rank, E::shape.rank, e.start, overlaps(map, rank));
  return frame;
}

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/frame/lower.ipp>
#endif
