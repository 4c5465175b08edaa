#pragma once

#include <type_traits>

#include <tenon/expr/contract/matmul.hpp>
#include <tenon/ir/node.hpp>
#include <tenon/ir/node_name.hpp>
#include <tenon/ir/rows.hpp>

/// From the type of an expression to its description, the only place that reads the parameters of
/// node types for one. `Columns` adds what another layer needs, for ops and dtypes:
///   with_specs                       whether specs, shapes and rows are described
///   map<Op, R, T...>(type)           of a map from dtypes T to R
///   reduction<Op, R, T>(type)        of a reduction from dtype T to R
///   contraction<Device, T>(type)     of a contraction
///   gather<T, Id>(type)              of a gather with ids of dtype Id
///   node<E>(type)                    of any node, last
namespace tenon::internal::ir {

/// A description without additional columns.
struct NoColumns {
  static constexpr bool with_specs = false;

  template <class Op, class R, class... T>
  static constexpr void map(NodeType&) {}
  template <class Op, class R, class T>
  static constexpr void reduction(NodeType&) {}
  template <class D, class T>
  static constexpr void contraction(NodeType&) {}
  template <class T, class Id>
  static constexpr void gather(NodeType&) {}
  template <class E>
  static constexpr void node(NodeType&) {}
};

template <class E, class Columns>
constexpr NodeType make_node_type();

template <class E, class Columns>
inline constexpr NodeType node_type = make_node_type<E, Columns>();

/// Describes the sizes of a map or a view.
template <class E>
constexpr void describe_sizes(NodeType& type) {
  type.known_sizes = &static_sizes_of<ShapeOf<spec_of<E>>>;
  for (int i = 0; i < E::shape.rank; ++i)
    if (!E::shape[i].is_static()) type.stored_axes |= 1u << i;
  if constexpr (!E::shape.is_static()) type.sizes = run_time_place<E>;
}

template <class Columns, class Op, class... E>
constexpr void describe(NodeType& type, std::type_identity<Elementwise<Op, E...>>) {
  using Own = Elementwise<Op, E...>;
  type.kind = NodeKind::map;
  type.op = &symbolic::op_record<Op>;
  type.axes_of = Own::types::maps.data();
  describe_sizes<Own>(type);
  Columns::template map<Op, typename Own::value_type, typename E::value_type...>(type);
}
template <class Columns, class Op, class E, AxisBits axes, bool keeps>
constexpr void describe(NodeType& type, std::type_identity<ReductionNode<Op, E, axes, keeps>>) {
  using Own = ReductionNode<Op, E, axes, keeps>;
  type.kind = NodeKind::reduction;
  type.op = &symbolic::op_record<Op>;
  type.axes = axes;
  type.keeps = keeps;
  type.operand_sizes = [](void const* e) {
    return operand_at<0>(*static_cast<Own const*>(e)).sizes();
  };
  Columns::template reduction<Op, typename Own::value_type, typename E::value_type>(type);
}
template <class Columns, class E, PackedMap order, Spec S>
constexpr void describe(NodeType& type, std::type_identity<IndexMap<E, order, S>>) {
  using Own = IndexMap<E, order, S>;
  type.kind = NodeKind::index_map;
  type.axes_of = &Own::order;
  type.start = start_place<Own>;
  describe_sizes<Own>(type);
  if constexpr (!Own::shape.is_static()) type.shape = &Own::shape;
}
template <class Columns, class E, Spec S, bool by_one>
constexpr void describe(NodeType& type, std::type_identity<Stepped<E, S, by_one>>) {
  using Own = Stepped<E, S, by_one>;
  type.kind = NodeKind::step;
  if constexpr (!Own::shape.is_static()) type.shape = &Own::shape;
  type.sizes = extents_place<Own>;
  type.start = steps_place<Own>;
}
template <class Columns, class T>
constexpr void describe(NodeType& type, std::type_identity<ConstantNode<T>>) {
  type.kind = NodeKind::constant;
  type.dtype = dtype_name<Computed<T>>;
  type.bytes = sizeof(Computed<T>);
  type.number = number_place<ConstantNode<T>>;
}
template <class Columns, class Table, class Ids, int axis,
          template <class, class, int> class Choice>
constexpr void describe(NodeType& type, std::type_identity<Choice<Table, Ids, axis>>) {
  using Own = Choice<Table, Ids, axis>;
  bool const is_pick = std::same_as<Own, PickAlong<Table, Ids, axis>>;
  bool const is_take = std::same_as<Own, Gather<Table, Ids, axis>>;
  type.kind = is_pick ? NodeKind::pick : is_take ? NodeKind::take : NodeKind::take_along;
  type.axis = axis;
  Columns::template gather<typename Own::value_type, typename Ids::value_type>(type);
}
template <class Columns, class A, class B, class Rule>
constexpr void describe(NodeType& type, std::type_identity<Contract<A, B, Rule>>) {
  using Own = Contract<A, B, Rule>;
  type.kind = NodeKind::product;
  type.contraction = &Rule::contraction;
  if constexpr (!Own::shape.is_static()) type.shape = &Own::shape;
  Columns::template contraction<typename Own::device, typename Own::value_type>(type);
}
template <class Columns, Leaf E>
constexpr void describe(NodeType& type, std::type_identity<E>) {
  type.kind = TensorType<E> ? NodeKind::tensor : is_view<E> ? NodeKind::view : NodeKind::earlier;
  type.leaf = &LeafTypeOf<E>::value;
}

template <class Columns, class... E>
constexpr void set_operands(NodeType& type, Types<E...>) {
  type.operand_count = sizeof...(E);
  type.operands = {&node_type<E, Columns>...};
}

/// What copies and moves of a node have to know.
template <class E>
constexpr void describe_object(NodeType& type) {
  type.stops_gradient = stops_gradient<E>;
  type.is_cached = has_cached_value<E>;
  if constexpr (has_cached_value<E>) type.cached_value = cached_value_place<E>;
  type.moves_as_bytes = requires { requires E::moves_as_bytes; };
}

template <class E, class Columns>
constexpr NodeType make_node_type() {
  using T = typename E::value_type;
  NodeType type{};
  type.name = node_name<E>;
  type.dtype = dtype_name<T>;
  type.bytes = sizeof(T);
  type.rank = E::shape.rank;
  describe_object<E>(type);
  set_operands<Columns>(type, OperandsOf<E>());
  if constexpr (!std::same_as<OperandsOf<E>, Types<>>) type.places = operand_places<E>.data();
  describe<Columns>(type, std::type_identity<E>());
  if constexpr (Columns::with_specs) {
    type.spec = spec_of<E>.view();
    type.shape = &E::shape;
    type.has_reduction = has_reduction<E>;
    if constexpr (has_reduction<E>) type.wanted_row = wanted_row<E>;
  }
  Columns::template node<E>(type);
  return type;
}

/// An expression with its description.
template <class Columns, class E>
Node described(E const& e) {
  return {node_type<E, Columns>, &e};
}

}  // namespace tenon::internal::ir

namespace tenon::internal::graph {

struct Columns;  // complete where `eval/graph/columns.hpp` is included, as by any evaluation

}  // namespace tenon::internal::graph

namespace tenon::internal {

/// The description of a type of expression that evaluation uses: for traces and for derivatives of
/// derivatives.
template <class E>
inline constexpr ir::NodeType const& node_type = ir::node_type<E, graph::Columns>;

template <class E>
ir::Node node_of(E const& e) {
  return {node_type<E>, &e};
}

}  // namespace tenon::internal
