#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/frame/frames.hpp>
#include <tenon/eval/tape/tape.hpp>

/// From an expression to the inputs of the formulas of its kernel.
namespace tenon::internal {

template <class T>
void add_elements(std::byte* to, std::byte const* from, std::int64_t count) {
  T* const sum = reinterpret_cast<T*>(to);
  T const* const more = reinterpret_cast<T const*>(from);
  for (std::int64_t i = 0; i < count; ++i) sum[i] = sum[i] + more[i];
}

/// Contiguous row-major memory. (Strides are written in place: loading a vector of strides that
/// were just stored one by one stalls store forwarding.)
void set_access(MemoryAccess& access, void const* data, Sizes const& sizes, int rank,
                std::size_t element_bytes);

/// The memory that the nodes of a lowered expression read, and the adjoints that are accumulated.
struct Lowering {
  Tape* tape;  ///< Null where nothing is differentiated.
  Accesses accesses{};
};

template <TensorType E>
void set_access(MemoryAccess& access, E const& tensor, Lowering& to, bool differentiates = true) {
  using T = typename E::value_type;
  using Sum = Computed<T>;
  set_access(access, stored_elements(tensor), tensor.sizes(), E::shape.rank, sizeof(T));
  to.accesses.add(access);
  if constexpr (std::is_floating_point_v<Sum>) {
    access.add = &add_elements<Sum>;
    if (to.tape == nullptr || !differentiates) return;
    access.gradient =
        to.tape->gradient_of(tensor.mark(), access.count, sizeof(Sum), access.gradient_is_new);
    access.element_bytes = sizeof(Sum);  // in a backward sweep they are those of adjoints
  }
}
template <class E, Spec S, bool by_one>
void set_access(MemoryAccess& access, Stepped<E, S, by_one> const& e, Lowering& to) {
  set_access(access, operand_at<0>(e), to);
  access.stride = e.steps.along;
  access.start = e.steps.start;
  access.shares_gradient = e.steps.overlaps;
}

/// The strides of a table on the axes of the result: zero along the gathered axis; the axes after
/// it shift by `moved`.
Sizes table_strides(Sizes const& strides, int rank, int axis, int moved);

/// Lowers a node whose axes are mapped, to the frame `F`.
template <class F, int inner, AxisBits row>
struct Lower;

/// Lowers a node to the inputs of a formula, from index `first` on.
template <class F, int inner, AxisBits row, std::size_t first, class Inputs, class E>
TENON_INLINE inline void lower_input(Inputs& inputs, E const& e, Lowering& to) {
  if constexpr (is_index_map<E>) {
    using Walk = WalkOfIndexMap<inner, row, E>;
    Accesses const before = to.accesses;
    lower_input<F, Walk::own_inner, Walk::own_row, first>(inputs, operand_at<0>(e), to);
    constexpr int rank = Unqualified<decltype(operand_at<0>(e))>::shape.rank;
    to.accesses.since(before).move(E::order, E::shape.rank, rank, e.start,
                                   overlaps(E::order, E::shape.rank));
  } else if constexpr (operands_of_frame<F> > 0) {
    Lower<F, inner, row>::template inputs_of<first>(
        inputs, e, to, std::make_index_sequence<std::size_t{operands_of_frame<F>}>());
  } else {
    Lower<F, inner, row>::into(nth<first>(inputs), e, to);
  }
}

template <class M, class T, FrameReach reach, int inner, AxisBits row>
struct Lower<LeafFrame<M, T, reach>, inner, row> {
  template <class E>
  static void into(LeafFrame<M, T, reach>& leaf, E const& e, Lowering& to) {
    set_access(leaf.access, e, to);
  }
};
template <class M, class T, int inner, AxisBits row>
struct Lower<ConstantFrame<M, T>, inner, row> {
  template <class E>
  static void into(ConstantFrame<M, T>& frame, E const& constant, Lowering&) {
    frame.value = constant.value;
  }
};

template <class M, class T, class I, FrameReach reach, bool by_lane, int inner, AxisBits row>
struct Lower<GatherFrame<M, T, I, reach, by_lane>, inner, row> {
  /// The axes of the ids are those of the result from the gathered one on, or from the first.
  template <class E>
  static void into(GatherFrame<M, T, I, reach, by_lane>& frame, E const& e, Lowering& to) {
    using Table = Unqualified<decltype(operand_at<0>(e))>;
    constexpr int first = gathers_axis<E> ? E::axis : 0;
    constexpr int ids_rank = Unqualified<decltype(operand_at<1>(e))>::rank;
    MemoryAccess& table = frame.table.access;
    set_access(table, operand_at<0>(e), to);
    table.gathered = frame.stride = at(table.stride, E::axis);
    table.stride = table_strides(table.stride, Table::rank, E::axis, E::shape.rank - Table::rank);
    set_access(frame.ids, operand_at<1>(e), to, false);
    Sizes const strides = std::exchange(frame.ids.stride, Sizes{});
    for (int i = 0; i < ids_rank; ++i) at(frame.ids.stride, first + i) = at(strides, i);
  }
};

template <class M, class F, int inner, AxisBits row>
struct Lower<ScalarFrame<M, F>, inner, row> {
  template <class E>
  static void into(ScalarFrame<M, F>& scalar, E const& e, Lowering& to) {
    lower_input<F, inner, row, 0>(scalar.frame, e, to);
  }
};
template <class M, class F, int inner, AxisBits row>
struct Lower<SharedFrame<M, F>, inner, row> {
  template <class E>
  static void into(SharedFrame<M, F>& shared, E const& e, Lowering& to) {
    lower_input<F, inner, row, 0>(shared.frame, e, to);
  }
};

/// A reduction over the whole row along which its operand is computed.
template <class Frame, class F>
struct LowerReduction {
  template <class Op, class E, AxisBits axes, bool keeps>
  static void into(Frame& reduction, ReductionNode<Op, E, axes, keeps> const& e, Lowering& to) {
    using Walk = WalkOfReduction<Op, E, axes, keeps>;
    Accesses const before = to.accesses;
    lower_input<F, Walk::inner, Walk::row, 0>(reduction.frame, operand_at<0>(e), to);
    reduction.row = row_of(operand_at<0>(e).sizes(), Walk::rank, Walk::reductions);
    reduction.walking =
        materialized_row(to.accesses.since(before), Walk::rank, Walk::reductions, reduction.row);
    reduction.frame.enter_row(reduction.row);
    if constexpr (op::PositionReduction<Op>)
      if (reduction.row.size() == 0)
        throw ValueError("tenon::" + std::string(Op::name) + ": an empty axis");
  }
};
template <class M, class Op, class F, int inner, AxisBits row>
struct Lower<ReductionFrame<M, Op, F>, inner, row> : LowerReduction<ReductionFrame<M, Op, F>, F> {};
template <class M, class Op, class F, int inner, AxisBits row>
struct Lower<PositionFrame<M, Op, F>, inner, row> : LowerReduction<PositionFrame<M, Op, F>, F> {};

template <class M, class Op, class F, int inner, AxisBits row>
struct Lower<ColumnFrame<M, Op, F>, inner, row> {
  template <class E, AxisBits axes, bool keeps>
  static void into(ColumnFrame<M, Op, F>& column, ReductionNode<Op, E, axes, keeps> const& e,
                   Lowering& to) {
    using Walk = WalkOfReduction<Op, E, axes, keeps>;
    lower_input<F, Walk::inner, Walk::row, 0>(column.frame, operand_at<0>(e), to);
    to.accesses.enter_columns(axes, Walk::rank, keeps);
    column.walking = to.accesses;
    column.rank = Walk::reductions;
    column.sizes = unit_sizes();
    Sizes const sizes = operand_at<0>(e).sizes();
    for (int i = 0, down = 0; i < Walk::rank; ++i) {
      if (has_axis(axes, i)) at(column.sizes, down++) = at(sizes, i);
    }
  }
};

template <class M, class Op, class F, int number, int inner, AxisBits row>
struct Lower<ShortFrame<M, Op, F, number>, inner, row> {
  template <class E, AxisBits axes, bool keeps>
  static void into(ShortFrame<M, Op, F, number>& frame, ReductionNode<Op, E, axes, keeps> const& e,
                   Lowering& to) {
    Accesses const before = to.accesses;
    lower_input<F, inner, row | axes, 0>(frame.frame, operand_at<0>(e), to);
    to.accesses.since(before).enter_positions(operand_at<0>(e).sizes(), E::shape.rank,
                                              count_axes(axes));
  }
};

template <class M, class Op, class... F, int inner, AxisBits row>
struct Lower<MapFrame<M, Op, F...>, inner, row> {
  template <std::size_t first, class Inputs, class E, std::size_t... k>
  static void inputs_of(Inputs& inputs, E const& e, Lowering& to, std::index_sequence<k...>) {
    check_not_gone(e);
    (one_operand<first + before(k), k, F, E>(inputs, operand_at<k>(e), to), ...);
  }

 private:
  static constexpr std::array<std::size_t, sizeof...(F)> sizes{InputsOf<F>::size...};
  static constexpr std::size_t before(std::size_t operand) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < operand; ++k) count += sizes[k];
    return count;
  }

  template <std::size_t first, std::size_t k, class X, class Node, class Inputs, class E>
  TENON_INLINE static void one_operand(Inputs& inputs, E const& operand, Lowering& to) {
    constexpr AxisMap const& map = Node::types::maps[k];
    constexpr int rank = E::shape.rank, own = operand_axis(map, rank, inner);
    constexpr AxisBits own_row = operand_axes(map, rank, row);
    Accesses const earlier = to.accesses;
    if constexpr (is_inverse<k, Node>)
      lower_input<typename Inverted<X>::type, own, own_row, 0>(nth<first>(inputs).frame, operand,
                                                               to);
    else lower_input<X, own, own_row, first>(inputs, operand, to);
    if constexpr (!keeps_places(map, rank))
      to.accesses.since(earlier).lift(Node::types::maps[k], rank);
  }

  /// Whether operand k of a quotient is replaced by multiplication with its reciprocal.
  template <std::size_t k, class Node>
  static constexpr bool is_inverse =
      k == 1 && std::same_as<Op, op::Mul> && std::same_as<typename Node::op, op::Div>;
  template <class X>
  struct Inverted;
  template <class X>
  struct Inverted<InverseFrame<M, X>> {
    using type = X;
  };
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[gnu::noinline]] TENON_RUNTIME void set_access(MemoryAccess& access, void const* data,
                                                Sizes const& sizes, int rank,
                                                std::size_t element_bytes) {
  access = MemoryAccess{};
  access.data = static_cast<std::byte const*>(data);
  access.element_bytes = static_cast<std::int64_t>(element_bytes);
  access.count = 1;
  for (int i = rank - 1; i >= 0; --i) {
    at(access.stride, i) = access.count;
    access.count *= at(sizes, i);
  }
}

TENON_RUNTIME Sizes table_strides(Sizes const& strides, int rank, int axis, int moved) {
  Sizes result{};
  for (int i = 0; i < rank; ++i) {
    if (i != axis) at(result, i < axis ? i : i + moved) = at(strides, i);
  }
  return result;
}

}  // namespace tenon::internal

#endif
