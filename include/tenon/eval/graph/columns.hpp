#pragma once

#include <tenon/eval/backend.hpp>
#include <tenon/eval/graph/node.hpp>
#include <tenon/eval/graph/reduction.hpp>
#include <tenon/eval/tape/tape.hpp>

/// What the description of a node says for a graph.
namespace tenon::internal {

/// The value of an expression in the graph that is being recorded.
template <class E>
TENON_INLINE inline graph::Id expression_in_graph(E const& e) {
  return graph::enter(node_of(e));
}

/// Elements selected by data.
template <GatherNode E>
[[gnu::cold]] graph::Id in_graph(E const& e) {
  auto const& table = operand_at<0>(e);
  constexpr int rank = Unqualified<decltype(table)>::rank;
  Sizes const strides = row_major(table.sizes(), rank);
  auto const on_host = rebuilt(e, table, graph::on_host(operand_at<1>(e)));
  return graph::take_at(node_of(table), {E::shape.rank, e.sizes()}, [&](ElementIndex const& index) {
    return offset(strides, on_host.source(index), rank);
  });
}
/// A node without a derivative is computed as outside of graphs.
template <class E>
[[gnu::cold]] graph::Id in_graph(E const& e) {
  if constexpr (is_constant<E>) {
    return graph::Number<Computed<typename E::value_type>>(e.value).id;
  } else {
    if constexpr (ComplexType<typename E::value_type>)
      if (graph::is_joined_by(&e, expression_layout<E>)) graph::refuse_complex();
    return expression_in_graph(evaluate_expression(e));
  }
}

}  // namespace tenon::internal

namespace tenon::internal::graph {

/// An op in a graph, where 16-bit elements are stored as `float`.
template <class Op>
struct OpInGraph {
  using type = Op;
};
template <NarrowType To>
struct OpInGraph<op::Cast<To>> {
  using type = op::RoundTo<To>;
};

template <class Op, class T>
Id reduction_as(Id x, ReducedAxes const& folding) {
  return reduction<Op>(Number<T>(x), folding).id;
}
template <class E>
Id enter_as(ir::Node node) {
  return in_graph(*reinterpret_cast<E const*>(node.address()));
}

template <class Op, class... T>
inline constexpr NodeRule map_rule{&map_op<typename OpInGraph<Op>::type, T...>};
template <class Op, class T>
inline constexpr NodeRule reduction_rule{nullptr, &reduction_as<Op, T>};
template <class Backend, class T>
inline constexpr NodeRule product_rule{nullptr, nullptr, &multiply_as<Backend, T>};
template <class E>
inline constexpr NodeRule value_rule{nullptr, nullptr, nullptr, &enter_as<E>};
template <class D, class T>
inline constexpr NodeRule leaf_rule{nullptr, nullptr, nullptr, &id_of<D, T>};
inline constexpr NodeRule view_rule{};

/// The columns of a graph (see `ir/describe.hpp`).
struct Columns : ir::NoColumns {
  template <class Op, class, class... T>
  static constexpr void map(ir::NodeType& type) {
    type.rule = &map_rule<Op, Computed<T>...>;
  }
  template <class Op, class, class T>
  static constexpr void reduction(ir::NodeType& type) {
    if constexpr (op::SmoothReduction<Op> && std::floating_point<T>)
      type.rule = &reduction_rule<Op, T>;
  }
  template <class D, class T>
  static constexpr void contraction(ir::NodeType& type) {
    if constexpr (std::floating_point<T>) type.rule = &product_rule<BackendOf<HostOf<D>>, T>;
  }
  template <class E>
  static constexpr void node(ir::NodeType& type) {
    if constexpr (Leaf<E>) type.rule = &leaf_rule<typename E::device, typename E::value_type>;
    else if (type.kind == NodeKind::index_map || type.kind == NodeKind::step)
      type.rule = &view_rule;
    else if constexpr (is_map<E>) return;
    else if (type.rule == nullptr) type.rule = &value_rule<E>;
  }
};

}  // namespace tenon::internal::graph
