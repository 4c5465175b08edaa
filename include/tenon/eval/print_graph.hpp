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

std::string graph_text(PlanGraph const& graph);

/// Writes to standard output.
void print_text(std::string const& text);

std::string graph_dot(PlanGraph const& graph);

/// The plan of an expression as text: its tensors, then each kernel with its operations in order,
/// their dtype and spec. JAX: `make_jaxpr`.
template <Expression X>
std::string graph_text(X const& expression) {
  return graph_text(plan_graph(expression));
}
template <class X, class R = Refused<Named<"graph_text">, X>>
auto graph_text(X const&) -> R;

/// The same in Graphviz's DOT language: a node for each operation, a cluster for each kernel.
template <Expression X>
std::string graph_dot(X const& expression) {
  return graph_dot(plan_graph(expression));
}
template <class X, class R = Refused<Named<"graph_dot">, X>>
auto graph_dot(X const&) -> R;

/// Writes the plan of an expression to standard output.
template <Expression X>
void print_graph(X const& expression) {
  print_text(graph_text(expression));
}
template <class X, class R = Refused<Named<"print_graph">, X>>
auto print_graph(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::graph_dot;
using internal::print_graph;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <iostream>

namespace tenon::internal {

/// One line of a graph: `v1 = exp(v0)`, and its type from column 36 on.
TENON_RUNTIME std::string graph_line(PlanNode const& node, std::string const& indent) {
  std::string line = indent + node.name + " = " + node.op + " ";
  if (line.size() < 36) line.resize(36, ' ');
  return line + node.type + "\n";
}

TENON_RUNTIME std::string graph_text(PlanGraph const& graph) {
  std::string text;
  for (std::size_t node : graph.tensors) text += graph_line(graph.nodes[node], "");
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
    text += "kernel " + std::to_string(k) + ": " + graph.kernels[k].kind + "\n";
    for (std::size_t node : graph.kernels[k].nodes) text += graph_line(graph.nodes[node], "  ");
  }
  return text;
}

TENON_RUNTIME void print_text(std::string const& text) { std::cout << text; }

/// A node in Graphviz's DOT language; quotes in a spec are escaped.
TENON_RUNTIME std::string dot_node(PlanNode const& node) {
  std::string label = node.op + "\\n";
  for (char c : node.type) label += c == '"' ? std::string("\\\"") : std::string{c};
  return "    " + node.name + " [label=\"" + label + "\"];\n";
}

TENON_RUNTIME std::string dot_cluster(PlanGraph const& graph, std::string const& name,
                                      std::string const& label,
                                      std::vector<std::size_t> const& nodes) {
  std::string text = "  subgraph cluster_" + name + " {\n    label=\"" + label + "\";\n";
  for (std::size_t node : nodes) text += dot_node(graph.nodes[node]);
  return text + "  }\n";
}

TENON_RUNTIME std::string graph_dot(PlanGraph const& graph) {
  std::string text = "digraph expression {\n  node [shape=box];\n";
  text += dot_cluster(graph, "tensors", "tensors", graph.tensors);
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
    std::string const number = std::to_string(k);
    text += dot_cluster(graph, "kernel_" + number,
                        "kernel " + number + ": " + graph.kernels[k].kind, graph.kernels[k].nodes);
  }
  for (PlanNode const& node : graph.nodes) {
    for (std::size_t from : node.from)
      text += "  " + graph.nodes[from].name + " -> " + node.name + ";\n";
  }
  return text + "}\n";
}

}  // namespace tenon::internal

#endif
