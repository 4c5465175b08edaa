#pragma once

#include <string_view>

#include <tenon/expr/node.hpp>

namespace tenon::internal {

/// The name of the operation of a node; empty for a leaf.
template <class E>
inline constexpr std::string_view node_name = "";
template <class Op, class... E>
inline constexpr std::string_view node_name<Elementwise<Op, E...>> = Op::name;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr std::string_view node_name<ReductionNode<Op, E, axes, keeps>> = Op::name;
template <class E, PackedMap order, Spec S>
inline constexpr std::string_view node_name<IndexMap<E, order, S>> = "move";
template <class E, Spec S, bool by_one>
inline constexpr std::string_view node_name<Stepped<E, S, by_one>> = "step";
template <class A, class B, class Rule>
inline constexpr std::string_view node_name<Contract<A, B, Rule>> = Rule::name;
template <class Table, class Ids, int axis>
inline constexpr std::string_view node_name<Gather<Table, Ids, axis>> = TakeName::name;
template <class Table, class Ids, int axis>
inline constexpr std::string_view node_name<PickAlong<Table, Ids, axis>> = PickName::name;
template <class Table, class Ids, int axis>
inline constexpr std::string_view node_name<TakeAlong<Table, Ids, axis>> = TakeAlongName::name;

/// Whether an expression is a random draw.
template <class E>
inline constexpr bool is_draw = false;
template <class Op, class... E>
inline constexpr bool is_draw<Elementwise<Op, E...>> = requires { Op::draws; };

}  // namespace tenon::internal
