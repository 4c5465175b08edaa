#pragma once

#include <tenon/eval/frame/column.hpp>
#include <tenon/eval/frame/lower.hpp>
#include <tenon/eval/rows/layout.hpp>

/// Lowering of the nodes that look along other axes than those of the kernel: folds and gathers.
namespace tenon {

template <class M, int inner, AxisBits row_axes, class Op, class E, AxisBits axes, bool keeps>
  requires(!is_column_fold<Fold<Op, E, axes, keeps>>)
auto lower(Fold<Op, E, axes, keeps> const& e, Tape* tape) {
  constexpr int rank = E::shape.rank, folds = count_axes(axes);
  auto frame =
      lower<M, (folds > 0 ? rank - 1 : -1), last_axes(rank, folds)>(operand_at<0>(e), tape);
  ScratchRow row = row_of(operand_at<0>(e).sizes(), rank, folds);
  accesses_of(frame).enter_row(rank, folds);
  settle_row(walking_accesses_of(frame), row);
  if constexpr (op::PositionFold<Op>) return PositionFrame<M, Op, decltype(frame)>(frame, row);
  else return FoldFrame<M, Op, decltype(frame)>(frame, row);
}

template <class M, int inner, AxisBits row_axes, class Op, class E, AxisBits axes, bool keeps>
  requires is_column_fold<Fold<Op, E, axes, keeps>>
auto lower(Fold<Op, E, axes, keeps> const& e, Tape* tape) {
  constexpr int rank = E::shape.rank;
  auto frame = lower<M, rank - 1, axes | (1u << (rank - 1))>(operand_at<0>(e), tape);
  accesses_of(frame).enter_columns(axes, rank, keeps);
  ColumnFrame<M, Op, decltype(frame)> column{frame, ones(), count_axes(axes)};
  Sizes const sizes = operand_at<0>(e).sizes();
  for (int i = 0, down = 0; i < rank; ++i) {
    if (has_axis(axes, i)) at(column.sizes, down++) = at(sizes, i);
  }
  return column;
}

/// The strides of a table on the axes of the result: none along the gathered axis, and the axes
/// behind it stand `moved` places further back.
Sizes table_strides(Sizes const& strides, int rank, int axis, int moved);

/// Lowers every kind of gather. The axes of the ids are those of the result from `first` on, and
/// the innermost run walks along them or not: `by_lane`.
template <class M, bool by_lane, FrameReach reach, class E>
auto lower_gather(E const& e, int first, Tape* tape) {
  using Table = Unqualified<decltype(operand_at<0>(e))>;
  using Ids = Unqualified<decltype(operand_at<1>(e))>;
  GatherFrame<M, typename Table::value_type, typename Ids::value_type, reach, by_lane> frame;
  MemoryAccess& table = frame.table.access;
  table = access_to(operand_at<0>(e), tape);
  table.gathered = frame.stride = at(table.stride, E::axis);
  table.stride = table_strides(table.stride, Table::rank, E::axis, E::shape.rank - Table::rank);
  frame.ids = access_to(operand_at<1>(e), nullptr);
  Sizes const strides = std::exchange(frame.ids.stride, Sizes{});
  for (int i = 0; i < Ids::rank; ++i) at(frame.ids.stride, first + i) = at(strides, i);
  return frame;
}

template <class M, int inner, AxisBits row, class Table, class Ids, int axis>
auto lower(Gather<Table, Ids, axis> const& e, Tape* tape) {
  constexpr int rank = Gather<Table, Ids, axis>::shape.rank;
  constexpr bool by_lane = inner >= 0 && inner >= axis && inner < axis + Ids::rank;
  constexpr bool is_last = inner == rank - 1 && axis < Table::rank - 1;
  constexpr FrameReach reach = inner < 0 ? FrameReach::spread
                               : is_last ? FrameReach::unit
                                         : FrameReach::strided;
  return lower_gather<M, by_lane, reach>(e, axis, tape);
}

template <class M, int inner, AxisBits row, GatherNode E>
auto lower(E const& e, Tape* tape) {
  constexpr FrameReach reach = inner < 0 ? FrameReach::spread : FrameReach::strided;
  return lower_gather<M, (inner >= 0), reach>(e, 0, tape);
}

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/frame/lower_row.ipp>
#endif
