#pragma once

#include <tenon/eval/frame_column.hpp>
#include <tenon/eval/lower.hpp>
#include <tenon/eval/row_layout.hpp>

/// Lowering of the nodes that look along other axes than those of the kernel: folds and gathers.
namespace tenon {

template <class M, int inner, AxisBits row_axes, class Op, class E, AxisBits axes, bool keeps>
  requires(!is_column_fold<Fold<Op, E, axes, keeps>>)
auto lower(Fold<Op, E, axes, keeps> const& e, Tape* tape) {
  constexpr int rank = E::shape.rank, folds = count_axes(axes);
  auto frame = lower<M, (folds > 0 ? rank - 1 : -1), last_axes(rank, folds)>(e.operand, tape);
  Row row = row_of(e.operand.sizes(), rank, folds);
  accesses_of(frame).each([](Access& access) { access.enter_row(rank, folds); });
  Accesses const walking = walking_accesses_of(frame);
  collapse_row(walking, row);
  set_inner(walking, row);
  if constexpr (op::PositionFold<Op>) return PositionFrame<M, Op, decltype(frame)>(frame, row);
  else return FoldFrame<M, Op, decltype(frame)>(frame, row);
}

template <class M, int inner, AxisBits row_axes, class Op, class E, AxisBits axes, bool keeps>
  requires is_column_fold<Fold<Op, E, axes, keeps>>
auto lower(Fold<Op, E, axes, keeps> const& e, Tape* tape) {
  constexpr int rank = E::shape.rank;
  auto frame = lower<M, rank - 1, axes | (1u << (rank - 1))>(e.operand, tape);
  accesses_of(frame).each([](Access& access) { access.enter_columns(axes, rank, keeps); });
  ColumnFrame<M, Op, decltype(frame)> column{frame, ones(), count_axes(axes)};
  Sizes const sizes = e.operand.sizes();
  for (int i = 0, down = 0; i < rank; ++i) {
    if (has_axis(axes, i)) at(column.sizes, down++) = at(sizes, i);
  }
  return column;
}

/// The strides of a table without those of the gathered axis, on the axes of the result.
template <int axis, int table_rank, int ids_rank, bool along>
Sizes table_strides(Sizes const& strides) {
  Sizes result{};
  for (int i = 0; i < table_rank; ++i) {
    if (i == axis) continue;
    int const to = i < axis ? i : along ? i - 1 : i - 1 + ids_rank;
    at(result, to) = at(strides, i);
  }
  return result;
}

template <int axis, int ids_rank, bool along>
Sizes id_strides(Sizes const& strides) {
  Sizes result{};
  for (int i = 0; i < ids_rank; ++i) at(result, along ? i : axis + i) = at(strides, i);
  return result;
}

/// Lowers both kinds of gather; `along`: the ids have all the other axes of the table (`pick`).
template <class M, int inner, bool along, class E, class Table, class Ids>
auto lower_gather(Table const& table, Ids const& ids, Tape* tape) {
  constexpr int table_rank = Table::shape.rank, ids_rank = Ids::shape.rank, axis = E::axis;
  constexpr bool by_lane = inner >= 0 && (along || (inner >= axis && inner < axis + ids_rank));
  constexpr bool is_last = inner == E::shape.rank - 1 && axis < table_rank - 1;
  constexpr Reach reach = inner < 0 ? Reach::spread : is_last ? Reach::unit : Reach::strided;
  using T = typename Table::value_type;
  GatherFrame<M, T, typename Ids::value_type, reach, by_lane> frame;
  frame.table.access = access_to(table, tape);
  frame.table.access.shares_gradient = true;
  frame.stride = at(frame.table.access.stride, axis);
  frame.table.access.stride =
      table_strides<axis, table_rank, ids_rank, along>(frame.table.access.stride);
  frame.ids = access_to(ids, nullptr);
  frame.ids.stride = id_strides<axis, ids_rank, along>(frame.ids.stride);
  return frame;
}

template <class M, int inner, AxisBits row, class Table, class Ids, int axis>
auto lower(Gather<Table, Ids, axis> const& e, Tape* tape) {
  return lower_gather<M, inner, false, Gather<Table, Ids, axis>>(e.table, e.ids, tape);
}

template <class M, int inner, AxisBits row, class Table, class Ids, int axis>
auto lower(PickAlong<Table, Ids, axis> const& e, Tape* tape) {
  return lower_gather<M, inner, true, PickAlong<Table, Ids, axis>>(e.table, e.ids, tape);
}

}  // namespace tenon
