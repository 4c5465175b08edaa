#pragma once

#include <tenon/core/config.hpp>

#include <string>
#include <vector>

#include <tenon/eval/plan/graph.hpp>
#include <tenon/eval/plan/plan.hpp>

/// Prints how an expression would be evaluated. Nothing is computed.
namespace tenon::internal {

/// The kernels that evaluating an expression runs, and the operations in each.
template <class E>
PlanGraph plan_graph(E const& e) {
  PlanGraphBuilder builder;
  plan(e, builder);
  return builder.graph();
}

/// One line of a graph: `v1 = exp(v0)`, and its type from column 36 on.
std::string graph_line(PlanNode const& node, std::string const& indent);

std::string graph_text(PlanGraph const& graph);

/// Writes to standard output.
void print_text(std::string const& text);

/// A node in Graphviz's DOT language; quotes in a spec are escaped.
std::string dot_node(PlanNode const& node);

std::string dot_cluster(PlanGraph const& graph, std::string const& name, std::string const& label,
                        std::vector<std::size_t> const& nodes);

std::string graph_dot(PlanGraph const& graph);

/// The plan of an expression as text: its tensors, then each kernel with its operations in order,
/// their dtype and spec. JAX: `make_jaxpr`.
template <Expression X>
std::string graph_text(X const& expression) {
  return graph_text(plan_graph(expression));
}
template <class X>
auto graph_text(X const&) -> FirstMistake<X>;

/// The same in Graphviz's DOT language: a node for each operation, a cluster for each kernel.
template <Expression X>
std::string graph_dot(X const& expression) {
  return graph_dot(plan_graph(expression));
}
template <class X>
auto graph_dot(X const&) -> FirstMistake<X>;

/// Writes the plan of an expression to standard output.
template <Expression X>
void print_graph(X const& expression) {
  print_text(graph_text(expression));
}
template <class X>
auto print_graph(X const&) -> FirstMistake<X>;

}  // namespace tenon::internal

namespace tenon {

using internal::graph_dot;
using internal::print_graph;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/print_graph.ipp>
#endif
