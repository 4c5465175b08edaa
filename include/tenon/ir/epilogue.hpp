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

}  // namespace tenon::internal
