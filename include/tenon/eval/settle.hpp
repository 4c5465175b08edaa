#pragma once

#include <tenon/core/join.hpp>
#include <tenon/eval/axis_sets.hpp>
#include <tenon/expr/fold.hpp>
#include <tenon/expr/gather.hpp>
#include <tenon/expr/map.hpp>
#include <tenon/expr/matmul.hpp>
#include <tenon/expr/move.hpp>

/// What is one kernel: any tree of maps over memory is. Folds join it where they look along the
/// last axes of the rows that the kernel walks anyway; everything else is evaluated first.
namespace tenon {

/// A fold over columns: it keeps its last axis, along which its kernel walks, and closes the
/// kernel.
template <class E>
inline constexpr bool is_column_fold = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_column_fold<Fold<Op, E, axes, keeps>> =
    axes != 0 && !has_axis(axes, E::shape.rank - 1) && !op::PositionFold<Op>;

/// Has a settled recipe a fold over rows in it?
template <class E>
inline constexpr bool has_fold = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool has_fold<Fold<Op, E, axes, keeps>> =
    !is_column_fold<Fold<Op, E, axes, keeps>>;
template <class Op, class... E>
inline constexpr bool has_fold<Elementwise<Op, E...>> = (has_fold<E> || ...);

/// How many of its result's axes, counted from the last, an operand with folds in it leaves to the
/// row: it must lie on all the others, in order. -1: it does not lie so.
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

/// The number of row axes that a settled recipe with folds in it asks its kernel for.
template <class E>
inline constexpr int wanted_row = 0;

/// The row that operand k of a map asks for; -1: it cannot be part of any.
template <std::size_t k, class Node, class E>
constexpr int operand_row() {
  constexpr int left = row_left_by(Node::types::aligned.maps[k], E::shape.rank, Node::shape.rank);
  if constexpr (left < 0) return -1;
  else if constexpr (left == 0) return wanted_row<E>;
  else return wanted_row<E> == 0 ? left : -1;
}

/// The rows that the operands of a map ask for: `has[k]` if operand k has folds in it.
template <class Op, class... E>
struct MapRows {
  static constexpr std::size_t size = sizeof...(E);
  static constexpr std::array<bool, size> has{has_fold<E>...};
  static constexpr std::array<int, size> wants = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array<int, size>{operand_row<k, Elementwise<Op, E...>, E>()...};
  }(std::make_index_sequence<size>());

  /// The row of the whole: that of the first operand that can be part of one.
  static constexpr int row() {
    for (std::size_t k = 0; k < size; ++k) {
      if (has[k] && wants[k] >= 0) return wants[k];
    }
    return 0;
  }
  /// Must operand k be evaluated first?
  static constexpr bool is_first(std::size_t k) { return has[k] && wants[k] != row(); }
};

template <class Op, class... E>
inline constexpr int wanted_row<Elementwise<Op, E...>> = MapRows<Op, E...>::row();

/// How a recipe settles: what has to be there before its kernel runs is evaluated. (Another such
/// type only notes what would be.)
struct EvaluateFirst {
  template <class E>
  constexpr auto operator()(E const& e) const {
    return evaluate(e);
  }
  /// The same elements with the axes of an `R`.
  template <class R, class E>
  static constexpr auto reshaped_to(E const& value, Sizes const& sizes) {
    return reshaped<R>(value, sizes);
  }
};

/// Does a way to settle evaluate such a recipe whatever is around it?
template <class First, class E>
inline constexpr bool evaluates = requires { requires First::template evaluates<E>; };

template <bool is_first, class E, class First>
constexpr auto fused_or_value(E const& e, First const& first) {
  if constexpr (is_first || is_column_fold<E> || evaluates<First, E>) return first(e);
  else return e;
}

/// Products are values to their kernel, everything else settles in its own way.
template <class E, class First = EvaluateFirst>
constexpr auto settled(E const& e, First const& first = {}) {
  if constexpr (is_contract<E>) return first(e);
  else return e;
}

template <class Op, class A, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A> const& e, First const& first = {}) {
  auto a = fused_or_value<false>(settled(e.a, first), first);
  return Elementwise<Op, decltype(a)>(std::move(a));
}

template <class Op, class A, class B, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A, B> const& e, First const& first = {}) {
  auto a = settled(e.a, first);
  auto b = settled(e.b, first);
  using Rows = MapRows<Op, decltype(a), decltype(b)>;
  auto x = fused_or_value<Rows::is_first(0)>(a, first);
  auto y = fused_or_value<Rows::is_first(1)>(b, first);
  return Elementwise<Op, decltype(x), decltype(y)>(std::move(x), std::move(y));
}

template <class Op, class A, class B, class C, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A, B, C> const& e, First const& first = {}) {
  auto a = settled(e.a, first);
  auto b = settled(e.b, first);
  auto c = settled(e.c, first);
  using Rows = MapRows<Op, decltype(a), decltype(b), decltype(c)>;
  auto x = fused_or_value<Rows::is_first(0)>(a, first);
  auto y = fused_or_value<Rows::is_first(1)>(b, first);
  auto z = fused_or_value<Rows::is_first(2)>(c, first);
  using Node = Elementwise<Op, decltype(x), decltype(y), decltype(z)>;
  return Node(std::move(x), std::move(y), std::move(z));
}

/// Moves take fold-free operands along.
template <class E, PackedMap order, Spec S, class First = EvaluateFirst>
constexpr auto settled(Moved<E, order, S> const& e, First const& first = {}) {
  auto operand = settled(e.operand, first);
  auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
  return Moved<decltype(kept), order, S>(std::move(kept), e.sizes(), e.start);
}

/// The order of axes that brings the folded ones to the end.
constexpr AxisMap folded_last(AxisBits axes, int rank) {
  AxisMap order{-1, -1, -1, -1, -1, -1, -1, -1};
  std::size_t next = 0;
  for (bool const folds : {false, true}) {
    for (int i = 0; i < rank; ++i) {
      if (has_axis(axes, i) == folds) order[next++] = static_cast<std::int8_t>(i);
    }
  }
  return order;
}

/// The axes of a fold's operand with the folded ones last.
template <class E, AxisBits axes>
struct FoldedLast {
  static constexpr AxisMap order = folded_last(axes, E::shape.rank);
  static constexpr Shape shape = permuted(E::shape, order);
  static constexpr AxisBits folded = last_axes(E::shape.rank, count_axes(axes));
  static constexpr bool already = axes == folded;  ///< Also where there are none.
};

/// A fold over the last axes walks rows of its operand.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  auto operand = settled(e.operand, first);
  using A = decltype(operand);
  constexpr int folds = count_axes(axes);
  auto kept = fused_or_value<(has_fold<A> && wanted_row<A> != folds)>(operand, first);
  return Fold<Op, decltype(kept), axes, keeps>(std::move(kept));
}

/// A fold over columns only.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(is_column_fold<Fold<Op, E, axes, keeps>> && !FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  auto operand = settled(e.operand, first);
  auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
  return Fold<Op, decltype(kept), axes, keeps>(std::move(kept));
}

/// Any other fold is one over the last axes of its operand transposed; where it keeps its axes they
/// are put back in place afterwards.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(!is_column_fold<Fold<Op, E, axes, keeps>> && !FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  using Last = FoldedLast<E, axes>;
  auto operand = settled(e.operand, first);
  auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
  auto transposed = moved<Last>(std::move(kept));
  Fold<Op, decltype(transposed), Last::folded, false> folded(std::move(transposed));
  if constexpr (!keeps) return folded;
  else
    return First::template reshaped_to<TensorOf<Fold<Op, E, axes, keeps>>>(first(folded),
                                                                           e.sizes());
}

}  // namespace tenon
