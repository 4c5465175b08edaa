#pragma once

#include <tenon/eval/axis_sets.hpp>
#include <tenon/eval/backend.hpp>
#include <tenon/eval/graph/node.hpp>
#include <tenon/eval/graph/product.hpp>
#include <tenon/eval/graph/reduction.hpp>
#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/tape/recorded.hpp>

/// The nodes of an expression as nodes of a graph.
namespace tenon::internal {

template <TensorType E>
[[gnu::cold]] graph::Id in_graph(E const& tensor) {
  return graph::id_of(tensor);
}
template <class T>
[[gnu::cold]] graph::Id in_graph(ConstantNode<T> const& constant) {
  return graph::Number<T>(constant.value).id;
}

/// An op in a graph, where 16-bit elements are stored as `float`.
template <class Op>
struct OpInGraph {
  using type = Op;
};
template <NarrowType To>
struct OpInGraph<op::Cast<To>> {
  using type = op::RoundTo<To>;
};

/// The graph node for a type of expression.
template <class E>
[[gnu::cold]] graph::Entered entered_as(void const* node) {
  E const& e = *static_cast<E const*>(node);
  return {in_graph(e), e.sizes()};
}
template <class E>
inline constexpr graph::NodeType graph_node{E::shape.rank, &entered_as<E>};
template <class Op, class... E>
inline constexpr graph::NodeType graph_node<Elementwise<Op, E...>>{
    Elementwise<Op, E...>::shape.rank,
    nullptr,
    &graph::map_op<typename OpInGraph<Op>::type, Computed<typename E::value_type>...>,
    Elementwise<Op, E...>::types::maps.data(),
    sizeof...(E),
    {&graph_node<E>...},
    operand_places<Elementwise<Op, E...>>.data()};

/// An expression in the graph.
template <class E>
TENON_INLINE inline graph::Id expression_in_graph(E const& e) {
  return graph::entered(&e, graph_node<E>).id;
}

/// The axes of a reduction's operand in its result; -1: reduced.
constexpr AxisMap reduced_to(AxisBits axes, bool keeps, int rank) {
  AxisMap order{};
  order.fill(-1);
  for (int i = 0, to = 0; i < rank; ++i) {
    if (!has_axis(axes, i)) order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(to);
    to += keeps || !has_axis(axes, i) ? 1 : 0;
  }
  return order;
}

/// A reduction without a derivative is computed as outside of graphs.
template <class Op, class E, AxisBits axes, bool keeps>
[[gnu::cold]] graph::Id in_graph(ReductionNode<Op, E, axes, keeps> const& e) {
  using F = ReductionNode<Op, E, axes, keeps>;
  using T = typename F::value_type;
  if constexpr (op::SmoothReduction<Op> && std::floating_point<T>) {
    constexpr AxisMap order = reduced_to(axes, keeps, E::shape.rank);
    graph::Extent const whole{E::shape.rank, operand_at<0>(e).sizes()},
        result{F::shape.rank, e.sizes()};
    return graph::reduction<Op>(graph::Number<T>(expression_in_graph(operand_at<0>(e))),
                                {{whole, order}, result})
        .id;
  } else {
    return expression_in_graph(evaluate_expression(e));
  }
}

template <class E, PackedMap order, Spec S>
[[gnu::cold]] graph::Id in_graph(IndexMap<E, order, S> const& e) {
  using M = IndexMap<E, order, S>;
  return graph::Graph::current->view(expression_in_graph(operand_at<0>(e)),
                                     {E::shape.rank, operand_at<0>(e).sizes()},
                                     {{M::shape.rank, e.sizes()}, M::order, e.start});
}

template <class A, class B, class Rule>
[[gnu::cold]] graph::Id in_graph(Contract<A, B, Rule> const& e) {
  using C = Contract<A, B, Rule>;
  using T = typename C::value_type;
  if constexpr (std::floating_point<T>) {
    Contraction const& rule = Rule::contraction;
    graph::Contracting const contracting{
        rule.left,
        rule.right,
        rule.out,
        e.extents(),
        static_cast<std::size_t>(rule.labels),
        &graph::multiply_as<BackendOf<HostOf<typename C::device>>, T>};
    return graph::Graph::current->product(expression_in_graph(operand_at<0>(e)),
                                          expression_in_graph(operand_at<1>(e)), contracting,
                                          {C::shape.rank, e.sizes()});
  } else {
    return expression_in_graph(evaluate_expression(e));
  }
}

/// Elements of a tensor selected by `place`, which gives the position in the tensor for each.
template <class E, class X, class F>
[[gnu::cold]] graph::Id chosen_in_graph(E const& e, X const& from, F const& place) {
  std::vector<std::int64_t> positions;
  Sizes const sizes = e.sizes();
  ElementIndex index{};
  if (count(sizes, E::shape.rank) > 0) {
    do positions.push_back(place(index));
    while (next(index, sizes, E::shape.rank));
  }
  return graph::Graph::current->take(
      expression_in_graph(from),
      graph::Positions(new std::vector<std::int64_t>(std::move(positions))),
      {E::shape.rank, sizes});
}

template <class E, Spec S, bool by_one>
[[gnu::cold]] graph::Id in_graph(Stepped<E, S, by_one> const& e) {
  return chosen_in_graph(e, operand_at<0>(e), [&](ElementIndex const& at) { return e.place(at); });
}

/// Elements selected by data.
template <GatherNode E>
[[gnu::cold]] graph::Id in_graph(E const& e) {
  auto const& table = operand_at<0>(e);
  constexpr int rank = Unqualified<decltype(table)>::rank;
  Sizes const strides = row_major(table.sizes(), rank);
  auto const on_host = rebuilt(e, table, graph::on_host(operand_at<1>(e)));
  return chosen_in_graph(on_host, table, [&](ElementIndex const& at) {
    return offset(strides, on_host.source(at), rank);
  });
}

}  // namespace tenon::internal
