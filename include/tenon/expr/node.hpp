#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/reduction/reduction.hpp>
#include <tenon/expr/view/index_map.hpp>
#include <tenon/expr/view/stepped.hpp>
#include <tenon/op/stop.hpp>

/// The operands of every kind of node, and the same node over other operands. Generic traversals of
/// expressions use only these functions: the members in which a node stores its operands are named
/// here.
namespace tenon::internal {

/// A list of types.
template <class... E>
struct Types {};

/// `f(operands...)`; of a leaf `f()`.
template <class E, class F>
TENON_INLINE constexpr decltype(auto) apply_operands(E const& e, F const& f) {
  if constexpr (requires { e.operand; }) return f(e.operand);
  else if constexpr (requires { e.table; }) return f(e.table, e.ids);
  else if constexpr (requires { e.c; }) return f(e.a, e.b, e.c);
  else if constexpr (requires { e.b; }) return f(e.a, e.b);
  else if constexpr (requires { e.a; }) return f(e.a);
  else return f();
}

/// Operand k of a node.
template <std::size_t k, class E>
TENON_INLINE constexpr auto const& operand_at(E const& e) {
  if constexpr (requires { e.operand; }) return e.operand;
  else if constexpr (requires { e.table; } && k == 0) return e.table;
  else if constexpr (requires { e.table; }) return e.ids;
  else if constexpr (k == 0) return e.a;
  else if constexpr (k == 1) return e.b;
  else return e.c;
}

/// The type of operand k of a node.
template <std::size_t k, class E>
using OperandAt = Unqualified<decltype(operand_at<k>(std::declval<E const&>()))>;

// (`offsetof` of a class without standard layout is supported by g++ and clang. g++ ignores the
// pragma in a header that is precompiled without CMake: -Wno-invalid-offsetof turns the warning off
// there.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
/// The offsets of the operands of a node, in bytes, in order.
template <class E>
inline constexpr auto operand_places = [] {
  std::array<std::uint32_t, 3> places{};
  if constexpr (requires(E const& e) { e.operand; }) places = {__builtin_offsetof(E, operand)};
  if constexpr (requires(E const& e) { e.table; })
    places = {__builtin_offsetof(E, table), __builtin_offsetof(E, ids)};
  if constexpr (requires(E const& e) { e.a; }) places[0] = __builtin_offsetof(E, a);
  if constexpr (requires(E const& e) { e.b; }) places[1] = __builtin_offsetof(E, b);
  if constexpr (requires(E const& e) { e.c; }) places[2] = __builtin_offsetof(E, c);
  return places;
}();

#pragma GCC diagnostic pop

/// Calls `f` for every operand of a node, in order; a leaf has none.
template <class E, class F>
TENON_INLINE constexpr void each_operand(E const& e, F const& f) {
  check_not_gone(e);
  if constexpr (requires { e.operand; }) f(e.operand);
  if constexpr (requires { e.table; }) f(e.table), f(e.ids);
  if constexpr (requires { e.a; }) f(e.a);
  if constexpr (requires { e.b; }) f(e.b);
  if constexpr (requires { e.c; }) f(e.c);
}

/// The types of the operands of a node; of a leaf none.
template <class E>
struct OperandTypes {
  using type = Types<>;
};
template <class Op, class... E>
struct OperandTypes<Elementwise<Op, E...>> {
  using type = Types<E...>;
};
template <class Op, class E, AxisBits axes, bool keeps>
struct OperandTypes<ReductionNode<Op, E, axes, keeps>> {
  using type = Types<E>;
};
template <class E, PackedMap order, Spec S>
struct OperandTypes<IndexMap<E, order, S>> {
  using type = Types<E>;
};
template <class E, Spec S, bool by_one>
struct OperandTypes<Stepped<E, S, by_one>> {
  using type = Types<E>;
};
template <class A, class B, class Rule>
struct OperandTypes<Contract<A, B, Rule>> {
  using type = Types<A, B>;
};
template <class Table, class Ids, int axis, template <class, class, int> class Node>
struct OperandTypes<Node<Table, Ids, axis>> {
  using type = Types<Table, Ids>;
};
template <class E>
using OperandsOf = typename OperandTypes<E>::type;

/// The same node over other operands.
template <class Op, class... E, class... X>
constexpr auto rebuilt(Elementwise<Op, E...> const&, X&&... x) {
  return Elementwise<Op, Unqualified<X>...>(std::forward<X>(x)...);
}
template <class Op, class E, AxisBits axes, bool keeps, class X>
constexpr auto rebuilt(ReductionNode<Op, E, axes, keeps> const&, X&& x) {
  return ReductionNode<Op, Unqualified<X>, axes, keeps>(std::forward<X>(x));
}
template <class E, PackedMap order, Spec S, class X>
constexpr auto rebuilt(IndexMap<E, order, S> const& e, X&& x) {
  return IndexMap<Unqualified<X>, order, S>(std::forward<X>(x), e.sizes(), e.start);
}
template <class E, Spec S, bool by_one, class X>
constexpr auto rebuilt(Stepped<E, S, by_one> const& e, X&& x) {
  return Stepped<Unqualified<X>, S, by_one>(std::forward<X>(x), e.extents, e.steps);
}
template <class A, class B, class Rule, class X, class Y>
constexpr auto rebuilt(Contract<A, B, Rule> const&, X&& x, Y&& y) {
  return Contract<Unqualified<X>, Unqualified<Y>, Rule>(std::forward<X>(x), std::forward<Y>(y));
}
template <class Table, class Ids, int axis, template <class, class, int> class Node, class X,
          class Y>
constexpr auto rebuilt(Node<Table, Ids, axis> const&, X&& table, Y&& ids) {
  return Node<Unqualified<X>, Unqualified<Y>, axis>(std::forward<X>(table), std::forward<Y>(ids));
}

/// The index of an operand, as a value.
template <std::size_t k>
using OperandNumber = std::integral_constant<std::size_t, k>;

/// The same node over the results of `f(operand, number)` for each operand, in order.
template <class E, class F>
constexpr auto with_operands(E const& e, F const& f) {
  check_not_gone(e);
  auto a = f(operand_at<0>(e), OperandNumber<0>());
  if constexpr (requires { e.c; }) {
    auto b = f(e.b, OperandNumber<1>());
    auto c = f(e.c, OperandNumber<2>());
    return rebuilt(e, std::move(a), std::move(b), std::move(c));
  } else if constexpr (
      requires { e.b; } || requires { e.table; }) {
    auto b = f(operand_at<1>(e), OperandNumber<1>());
    return rebuilt(e, std::move(a), std::move(b));
  } else {
    return rebuilt(e, std::move(a));
  }
}

/// Whether the value of a node is a constant for derivatives: it passes no adjoint to its operand.
template <class E>
inline constexpr bool stops_gradient = false;
template <class A>
inline constexpr bool stops_gradient<Elementwise<op::StopGradient, A>> = true;

/// A node that selects elements of a table by ids.
template <class E>
concept GatherNode = requires(E const& e) { e.table, e.ids; };

}  // namespace tenon::internal
