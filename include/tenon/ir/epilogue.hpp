#pragma once

#include <utility>

#include <tenon/expr/node.hpp>
#include <tenon/ir/axis_sets.hpp>

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
