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

/// Which maps after a contraction are its epilogue: bias, activation and residual.
namespace tenon::internal {

/// Whether an expression contains a reduction.
template <class E>
inline constexpr bool contains_reduction = is_reduction<E> || contains_reduction<OperandsOf<E>>;
template <class... E>
inline constexpr bool contains_reduction<Types<E...>> = (contains_reduction<E> || ...);

/// Whether `E` contains a contraction whose elements have the offsets of those of `E`. The first
/// such contraction is the host of the epilogue.
template <class E>
inline constexpr bool has_host = is_contract<E>;

template <std::size_t k, class Node, class E>
constexpr bool hosts() {
  if constexpr (!has_host<E>) return false;
  else
    return E::shape.rank == Node::shape.rank && keeps_places(Node::types::maps[k], E::shape.rank);
}

/// The index of the map operand that contains the host; the number of operands if none does.
template <class E>
inline constexpr std::size_t leads_to_host = 0;
template <class Op, class... E>
inline constexpr std::size_t leads_to_host<Elementwise<Op, E...>> =
    []<std::size_t... k>(std::index_sequence<k...>) {
      bool const leads[] = {hosts<k, Elementwise<Op, E...>, E>()...};
      std::size_t first = 0;
      while (first < sizeof...(E) && !leads[first]) ++first;
      return first;
    }(std::index_sequence_for<E...>());

template <class Op, class... E>
inline constexpr bool has_host<Elementwise<Op, E...>> =
    leads_to_host<Elementwise<Op, E...>> < sizeof...(E);

/// Nested maps that are the epilogue of a contraction, evaluated part by part.
template <class E>
concept Epilogue = is_map<E> && has_host<E> && !contains_reduction<E>;

template <class E>
auto const& host_of(E const& e) {
  if constexpr (is_contract<E>) return e;
  else return host_of(operand_at<leads_to_host<E>>(e));
}

/// The expression with the host replaced by its value.
template <class E, class P>
auto with_host(E const& e, P const& value) {
  if constexpr (is_contract<E>) return value;
  else
    return with_operands(e, [&](auto const& operand, auto k) {
      if constexpr (k == leads_to_host<E>) return with_host(operand, value);
      else return operand;
    });
}

/// Whether an expression is a reduction of a contraction, or of the maps that follow it, over their
/// last axes, and what follows that reduction: maps with tensors and numbers.
template <class E>
inline constexpr bool reduces_host = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool reduces_host<ReductionNode<Op, E, axes, keeps>> =
    axes != 0 && axes == last_axes(E::shape.rank, count_axes(axes)) &&
    (is_contract<E> || Epilogue<E>)&&!op::PositionReduction<Op>;

template <class E>
inline constexpr std::size_t leads_to_reduction = 0;
template <class Op, class... E>
inline constexpr std::size_t leads_to_reduction<Elementwise<Op, E...>> = [] {
  bool const leads[] = {reduces_host<E>...};
  std::size_t first = 0;
  while (first < sizeof...(E) && !leads[first]) ++first;
  return first;
}();
template <class Op, class... E>
inline constexpr bool reduces_host<Elementwise<Op, E...>> =
    (0 + ... + reduces_host<E>) == 1 && ((reduces_host<E> ? E::shape == Elementwise<Op, E...>::shape
                                                          : is_constant<E> || TensorType<E>)&&...);

template <class E>
auto const& host_reduction(E const& e) {
  if constexpr (is_reduction<E>) return e;
  else return host_reduction(operand_at<leads_to_reduction<E>>(e));
}

/// The number of axes over which a reduction is.
template <class E>
inline constexpr int reduced_axes = 0;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr int reduced_axes<ReductionNode<Op, E, axes, keeps>> = count_axes(axes);

/// The reduction over the last axis alone, of size 1 in the result.
template <class Op, class E, AxisBits axes, bool keeps>
auto reduction_of_rows(ReductionNode<Op, E, axes, keeps> const& e) {
  return ReductionNode<Op, E, last_axes(E::shape.rank, 1), true>(operand_at<0>(e));
}

/// The expression with another reduction.
template <class E, class Reduction>
auto with_reduction(E const& e, Reduction const& reduction) {
  if constexpr (is_reduction<E>) return reduction;
  else
    return with_operands(e, [&](auto const& operand, auto k) {
      if constexpr (k == leads_to_reduction<E>) return with_reduction(operand, reduction);
      else return operand;
    });
}

/// The expression with the contraction replaced by its value.
template <class E, class P>
auto with_reduced_host(E const& e, P const& value) {
  auto const& reduction = host_reduction(e);
  return with_reduction(e, rebuilt(reduction, with_host(operand_at<0>(reduction), value)));
}

}  // namespace tenon::internal
