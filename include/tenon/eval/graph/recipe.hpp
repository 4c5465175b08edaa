#pragma once

#include <tenon/eval/axis_sets.hpp>
#include <tenon/eval/backend.hpp>
#include <tenon/eval/graph/fold.hpp>
#include <tenon/eval/graph/product.hpp>
#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/tape/recorded.hpp>

/// What a recipe is in a graph, node by node.
namespace tenon {

template <TensorType E>
[[gnu::cold]] graph::Id in_graph(E const& tensor) {
  return graph::id_of(tensor);
}
template <class T>
[[gnu::cold]] graph::Id in_graph(ConstantNode<T> const& constant) {
  return graph::Number<T>(constant.value).id;
}

/// What an op is in a graph, where 16-bit elements are floats of the same values.
template <class Op>
struct OpInGraph {
  using type = Op;
};
template <HalfType To>
struct OpInGraph<op::Cast<To>> {
  using type = op::RoundTo<To>;
};

template <class Op, class... E>
[[gnu::cold]] graph::Id map_in_graph(std::array<graph::Id, sizeof...(E)> x,
                                     Elementwise<Op, E...> const& e) {
  using M = Elementwise<Op, E...>;
  using O = typename OpInGraph<Op>::type;
  return graph::Graph::current->map(graph::map_op<O, Computed<typename E::value_type>...>, x,
                                    M::types::maps.data(), {M::shape.rank, e.sizes()});
}
template <class Op, class A>
[[gnu::cold]] graph::Id in_graph(Elementwise<Op, A> const& e) {
  return map_in_graph({in_graph(e.a)}, e);
}
template <class Op, class A, class B>
[[gnu::cold]] graph::Id in_graph(Elementwise<Op, A, B> const& e) {
  return map_in_graph({in_graph(e.a), in_graph(e.b)}, e);
}
template <class Op, class A, class B, class C>
[[gnu::cold]] graph::Id in_graph(Elementwise<Op, A, B, C> const& e) {
  return map_in_graph({in_graph(e.a), in_graph(e.b), in_graph(e.c)}, e);
}

/// Where the axes of a fold's operand are in its result; -1: folded.
constexpr AxisMap folded_to(AxisBits axes, bool keeps, int rank) {
  AxisMap order{};
  order.fill(-1);
  for (int i = 0, to = 0; i < rank; ++i) {
    if (!has_axis(axes, i)) order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(to);
    to += keeps || !has_axis(axes, i) ? 1 : 0;
  }
  return order;
}

/// A fold without a derivative is computed as everywhere.
template <class Op, class E, AxisBits axes, bool keeps>
[[gnu::cold]] graph::Id in_graph(Fold<Op, E, axes, keeps> const& e) {
  using F = Fold<Op, E, axes, keeps>;
  using T = typename F::value_type;
  if constexpr (op::SmoothFold<Op> && std::floating_point<T>) {
    constexpr AxisMap order = folded_to(axes, keeps, E::shape.rank);
    graph::Extent const whole{E::shape.rank, e.operand.sizes()}, result{F::shape.rank, e.sizes()};
    return graph::fold<Op>(graph::Number<T>(in_graph(e.operand)), {{whole, order}, result}).id;
  } else {
    return in_graph(evaluate(e));
  }
}

template <class E, PackedMap order, Spec S>
[[gnu::cold]] graph::Id in_graph(Moved<E, order, S> const& e) {
  using M = Moved<E, order, S>;
  return graph::Graph::current->view(in_graph(e.operand), {E::shape.rank, e.operand.sizes()},
                                     {{M::shape.rank, e.sizes()}, M::order, e.start});
}

/// Who multiplies in a graph of tensors on a device.
template <class D>
using HostBackendOf = BackendOf<std::conditional_t<D::is_host, D, Cpu>>;

template <class A, class B, class Rule>
[[gnu::cold]] graph::Id in_graph(Contract<A, B, Rule> const& e) {
  using C = Contract<A, B, Rule>;
  using T = typename C::value_type;
  if constexpr (std::floating_point<T>) {
    Contraction const& rule = Rule::contraction;
    graph::Contracting const contracting{rule.left,
                                         rule.right,
                                         rule.out,
                                         e.extents(),
                                         static_cast<std::size_t>(rule.labels),
                                         &graph::multiply_as<HostBackendOf<typename C::device>, T>};
    return graph::Graph::current->product(in_graph(e.a), in_graph(e.b), contracting,
                                          {C::shape.rank, e.sizes()});
  } else {
    return in_graph(evaluate(e));
  }
}

/// Elements of a tensor at places of their own: for each the position in the tensor.
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
      in_graph(from), std::make_shared<std::vector<std::int64_t> const>(std::move(positions)),
      {E::shape.rank, sizes});
}

/// Elements chosen by data.
template <class E>
[[gnu::cold]] graph::Id gather_in_graph(E const& e) {
  constexpr int rank = Unqualified<decltype(e.table)>::rank;
  Sizes const strides = row_major(e.table.sizes(), rank);
  return chosen_in_graph(
      e, e.table, [&](ElementIndex const& at) { return offset(strides, e.source(at), rank); });
}
template <class E, Spec S, bool by_one>
[[gnu::cold]] graph::Id in_graph(Stepped<E, S, by_one> const& e) {
  return chosen_in_graph(e, e.operand, [&](ElementIndex const& at) { return e.place(at); });
}
template <class Table, class Ids, int axis>
[[gnu::cold]] graph::Id in_graph(Gather<Table, Ids, axis> const& e) {
  auto const ids = graph::on_host(e.ids);
  return gather_in_graph(Gather<Table, Unqualified<decltype(ids)>, axis>(e.table, ids));
}
template <class Table, class Ids, int axis>
[[gnu::cold]] graph::Id in_graph(PickAlong<Table, Ids, axis> const& e) {
  auto const ids = graph::on_host(e.ids);
  return gather_in_graph(PickAlong<Table, Unqualified<decltype(ids)>, axis>(e.table, ids));
}
template <class Table, class Ids, int axis>
[[gnu::cold]] graph::Id in_graph(TakeAlong<Table, Ids, axis> const& e) {
  auto const ids = graph::on_host(e.ids);
  return gather_in_graph(TakeAlong<Table, Unqualified<decltype(ids)>, axis>(e.table, ids));
}

}  // namespace tenon
