#pragma once

#include <tenon/backend/codegen/node/node.hpp>
#include <tenon/eval/contract/operand_memory.hpp>
#include <tenon/eval/wanted_rows.hpp>

/// The constants that describe the nodes of an expression. They hold the only functions of a node's
/// type that printing needs: the body of its op, and of its derivative if `with_backward`.
namespace tenon::internal::codegen {

template <class E, bool with_backward>
constexpr NodeType make_node_type();

template <class E, bool with_backward>
inline constexpr NodeType node_type = make_node_type<E, with_backward>();

template <bool with_backward, class... E>
constexpr void set_operands(NodeType& type, Types<E...>) {
  type.operands = {&node_type<E, with_backward>...};
}

template <bool with_backward, class Op, class... E>
constexpr void describe_node(NodeType& type, std::type_identity<Elementwise<Op, E...>>) {
  using Own = Elementwise<Op, E...>;
  type.map = &map_op<with_backward, Op, typename Own::value_type, typename E::value_type...>;
}

template <bool with_backward, class Op, class E, AxisBits axes, bool keeps>
constexpr void describe_node(NodeType& type,
                             std::type_identity<ReductionNode<Op, E, axes, keeps>>) {
  type.reduction = &ReductionOpOf<Op, typename E::value_type>::value;
}

template <bool with_backward, class E, PackedMap order, Spec S>
constexpr void describe_node(NodeType& type, std::type_identity<IndexMap<E, order, S>>) {
  using Own = IndexMap<E, order, S>;
  type.overlaps = overlapping<Own>;
}

template <bool with_backward, class E, Spec S, bool by_one>
constexpr void describe_node(NodeType& type, std::type_identity<Stepped<E, S, by_one>>) {
  using Own = Stepped<E, S, by_one>;
  type.overlaps = overlapping<Own>;
}

template <bool with_backward, class T>
constexpr void describe_node(NodeType& type, std::type_identity<ConstantNode<T>>) {
  type.dtype = &dtype_of<Computed<T>>;
}

template <class T>
Value cast_to_index(Value const& id) {
  return value_of(convert<std::int64_t>(symbol_of<T>(id)));
}
template <bool with_backward, class Table, class Ids, int axis,
          template <class, class, int> class Choice>
constexpr void describe_node(NodeType& type, std::type_identity<Choice<Table, Ids, axis>>) {
  type.index = &cast_to_index<typename Ids::value_type>;
}

template <class T>
Value multiplied(Value const& a, Value const& b) {
  return value_of(symbol_of<T>(a) * symbol_of<T>(b));
}
template <bool with_backward, class A, class B, class Rule>
constexpr void describe_node(NodeType& type, std::type_identity<Contract<A, B, Rule>>) {
  using T = typename A::value_type;
  type.reduction = &ReductionOpOf<op::SumReduction, T>::value;
  type.multiply = &multiplied<T>;
}

template <bool with_backward, Leaf E>
constexpr void describe_node(NodeType& type, std::type_identity<E>) {
  type.leaf = &LeafTypeOf<E>::value;
}

template <class E, bool with_backward>
constexpr NodeType make_node_type() {
  NodeType type{node_layout<E>(), spec_of<E>.view(), &E::shape, &dtype_of<typename E::value_type>};
  type.has_reduction = has_reduction<E>;
  if constexpr (has_reduction<E>) type.wanted_row = wanted_row<E>;
  set_operands<with_backward>(type, OperandsOf<E>());
  describe_node<with_backward>(type, std::type_identity<E>());
  return type;
}

/// An expression, described with or without the derivatives of its ops.
template <bool with_backward = true, class E>
Node node_of(E const& e) {
  return {node_type<E, with_backward>, &e};
}

}  // namespace tenon::internal::codegen
