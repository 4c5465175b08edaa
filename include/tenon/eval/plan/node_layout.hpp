#pragma once

#include <tenon/eval/plan/node_name.hpp>
#include <tenon/expr/places.hpp>
#include <tenon/tensor/view.hpp>

/// Expressions as data: a constant for each type of node describes its operation, its axes and the
/// offsets of its operands and run-time numbers. Kernel text (`codegen::NodeType`) and traces
/// (`tracing::NodeType`) add what they need.
namespace tenon::internal {

enum class NodeKind : std::uint8_t {
  tensor,
  view,
  earlier,  ///< The value of an earlier kernel of a plan.
  constant,
  map,
  reduction,
  index_map,
  step,
  take,
  pick,
  take_along,
  product
};

struct NodeLayout {
  NodeKind kind = NodeKind::earlier;
  std::string_view name{};                ///< Of the operation.
  std::uint32_t const* places = nullptr;  ///< Offsets of the operands in the node, in bytes.
  std::size_t operand_count = 0;
  /// The axes of the operands of an elementwise op, concatenated; of the operand of a view.
  AxisMap const* axes_of = nullptr;
  AxisBits axes = 0;  ///< The axes of a reduction.
  bool keeps = false;
  int axis = 0;  ///< The indexed axis of a gather.
  Contraction const* contraction = nullptr;
  /// Offsets of run-time values: the number of a constant, sizes, and the start of a view or slice.
  std::size_t number = 0, sizes = 0, start = 0;
};

template <class Op, class... E>
constexpr void describe_layout(NodeLayout& layout, std::type_identity<Elementwise<Op, E...>>) {
  layout.kind = NodeKind::map;
  layout.axes_of = Elementwise<Op, E...>::types::maps.data();
}
template <class Op, class E, AxisBits axes, bool keeps>
constexpr void describe_layout(NodeLayout& layout,
                               std::type_identity<ReductionNode<Op, E, axes, keeps>>) {
  layout.kind = NodeKind::reduction;
  layout.axes = axes;
  layout.keeps = keeps;
}
template <class E, PackedMap order, Spec S>
constexpr void describe_layout(NodeLayout& layout, std::type_identity<IndexMap<E, order, S>>) {
  layout.kind = NodeKind::index_map;
  layout.axes_of = &IndexMap<E, order, S>::order;
  layout.start = start_place<IndexMap<E, order, S>>;
}
template <class E, Spec S, bool by_one>
constexpr void describe_layout(NodeLayout& layout, std::type_identity<Stepped<E, S, by_one>>) {
  layout.kind = NodeKind::step;
  layout.sizes = extents_place<Stepped<E, S, by_one>>;
  layout.start = steps_place<Stepped<E, S, by_one>>;
}
template <class T>
constexpr void describe_layout(NodeLayout& layout, std::type_identity<ConstantNode<T>>) {
  layout.kind = NodeKind::constant;
  layout.number = number_place<ConstantNode<T>>;
}
template <class Table, class Ids, int axis, template <class, class, int> class Choice>
constexpr void describe_layout(NodeLayout& layout, std::type_identity<Choice<Table, Ids, axis>>) {
  using Own = Choice<Table, Ids, axis>;
  bool const is_pick = std::same_as<Own, PickAlong<Table, Ids, axis>>;
  bool const is_take = std::same_as<Own, Gather<Table, Ids, axis>>;
  layout.kind = is_pick ? NodeKind::pick : is_take ? NodeKind::take : NodeKind::take_along;
  layout.axis = axis;
}
template <class A, class B, class Rule>
constexpr void describe_layout(NodeLayout& layout, std::type_identity<Contract<A, B, Rule>>) {
  layout.kind = NodeKind::product;
  layout.contraction = &Rule::contraction;
}
template <class E>
  requires(TensorType<E> || is_view<E>)
constexpr void describe_layout(NodeLayout& layout, std::type_identity<E>) {
  layout.kind = TensorType<E> ? NodeKind::tensor : NodeKind::view;
}

template <class... E>
constexpr std::size_t count_of_types(Types<E...>) {
  return sizeof...(E);
}

/// The description of a type of node. Other leaves are values of earlier kernels.
template <class E>
constexpr NodeLayout node_layout() {
  NodeLayout layout{};
  layout.name = node_name<E>;
  layout.operand_count = count_of_types(OperandsOf<E>());
  if constexpr (!std::same_as<OperandsOf<E>, Types<>>) {
    layout.places = operand_places<E>.data();
    if constexpr (requires(E const& e) { e.run_time_; })
      if constexpr (!E::shape.is_static()) layout.sizes = run_time_place<E>;
  }
  if constexpr (requires { describe_layout(layout, std::type_identity<E>()); })
    describe_layout(layout, std::type_identity<E>());
  return layout;
}

/// The static sizes of a shape, and its run-time sizes in order. Throws if the node was moved from.
Sizes sizes_among(Shape const& shape, std::int64_t const* run_time);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/plan/node_layout.ipp>
#endif
