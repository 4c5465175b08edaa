#pragma once

#include <tenon/core/rules/join.hpp>
#include <tenon/eval/wanted_rows.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/fold/fold.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/move/move.hpp>

/// What is one kernel: any tree of maps over memory is. Folds join it where they look along the
/// last axes of the rows that the kernel walks anyway; everything else is evaluated first.
namespace tenon {

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

/// Is a recipe settled as it stands?
template <class First, class E>
inline constexpr bool stays = is_settled<E> && !requires { First::settles_further; };

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

/// Is operand k of a map repeated along some of the map's axes?
template <std::size_t k, class Node, class E>
constexpr bool is_repeated() {
  AxisMap const& map = Node::types::aligned.maps[k];
  int covered = 0;
  for (int i = 0; i < E::shape.rank; ++i) covered += map[static_cast<std::size_t>(i)] >= 0;
  return covered < Node::shape.rank;
}

/// Operand k of a map. What follows a fold over columns, as the division of a mean does, is
/// computed before it is repeated: not again for every element.
template <std::size_t k, class Node, class E, class First>
constexpr auto settled_operand(E const& e, First const& first) {
  if constexpr (is_map<E> && has_column_fold<E>) {
    if constexpr (is_repeated<k, Node, E>()) return first(e);
    else return settled(e, first);
  } else {
    return settled(e, first);
  }
}

template <class Op, class A, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A> const& e, First const& first = {}) {
  if constexpr (stays<First, Elementwise<Op, A>>) {
    return e;
  } else {
    auto a = fused_or_value<false>(settled(e.a, first), first);
    return Elementwise<Op, decltype(a)>(std::move(a));
  }
}

template <class Op, class A, class B, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A, B> const& e, First const& first = {}) {
  if constexpr (stays<First, Elementwise<Op, A, B>>) {
    return e;
  } else {
    using From = Elementwise<Op, A, B>;
    auto a = settled_operand<0, From>(e.a, first);
    auto b = settled_operand<1, From>(e.b, first);
    using Rows = MapRows<Op, decltype(a), decltype(b)>;
    auto x = fused_or_value<Rows::is_first(0)>(a, first);
    auto y = fused_or_value<Rows::is_first(1)>(b, first);
    return Elementwise<Op, decltype(x), decltype(y)>(std::move(x), std::move(y));
  }
}

template <class Op, class A, class B, class C, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A, B, C> const& e, First const& first = {}) {
  if constexpr (stays<First, Elementwise<Op, A, B, C>>) {
    return e;
  } else {
    using From = Elementwise<Op, A, B, C>;
    auto a = settled_operand<0, From>(e.a, first);
    auto b = settled_operand<1, From>(e.b, first);
    auto c = settled_operand<2, From>(e.c, first);
    using Rows = MapRows<Op, decltype(a), decltype(b), decltype(c)>;
    auto x = fused_or_value<Rows::is_first(0)>(a, first);
    auto y = fused_or_value<Rows::is_first(1)>(b, first);
    auto z = fused_or_value<Rows::is_first(2)>(c, first);
    using Node = Elementwise<Op, decltype(x), decltype(y), decltype(z)>;
    return Node(std::move(x), std::move(y), std::move(z));
  }
}

/// Moves take fold-free operands along.
template <class E, PackedMap order, Spec S, class First = EvaluateFirst>
constexpr auto settled(Moved<E, order, S> const& e, First const& first = {}) {
  if constexpr (stays<First, Moved<E, order, S>>) {
    return e;
  } else {
    auto operand = settled(e.operand, first);
    auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
    return Moved<decltype(kept), order, S>(std::move(kept), e.sizes(), e.start);
  }
}

/// Has a fold's operand rows of its own, shorter than those of the fold? They are folded first, in
/// the kernel that makes them: so a loss over all elements is a number for every row, and the rows
/// are never stored.
template <class Op, class E, int folds>
inline constexpr bool folds_rows_first =
    !op::PositionFold<Op> && has_fold<E> && wanted_row<E> > 0 && wanted_row<E> < folds;

/// A fold over the last axes walks rows of its operand.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  if constexpr (stays<First, Fold<Op, E, axes, keeps>>) {
    return e;
  } else {
    auto operand = settled(e.operand, first);
    using A = decltype(operand);
    constexpr int folds = count_axes(axes);
    if constexpr (folds_rows_first<Op, A, folds>) {
      constexpr AxisBits own = last_axes(A::shape.rank, wanted_row<A>);
      auto rows = first(Fold<Op, A, own, true>(std::move(operand)));
      return Fold<Op, decltype(rows), axes, keeps>(std::move(rows));
    } else {
      auto kept = fused_or_value<(has_fold<A> && wanted_row<A> != folds)>(operand, first);
      return Fold<Op, decltype(kept), axes, keeps>(std::move(kept));
    }
  }
}

/// A fold over columns only.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(is_column_fold<Fold<Op, E, axes, keeps>> && !FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  if constexpr (stays<First, Fold<Op, E, axes, keeps>>) {
    return e;
  } else {
    auto operand = settled(e.operand, first);
    auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
    return Fold<Op, decltype(kept), axes, keeps>(std::move(kept));
  }
}

/// Any other fold is one over the last axes of its operand transposed; where it keeps its axes they
/// are put back in place afterwards.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(!is_column_fold<Fold<Op, E, axes, keeps>> && !FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  if constexpr (stays<First, Fold<Op, E, axes, keeps>>) {
    return e;
  } else {
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
}

}  // namespace tenon
