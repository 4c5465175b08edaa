#pragma once

#include <iostream>

#include <tenon/core/config.hpp>
#include <tenon/eval/print_graph.hpp>

namespace tenon::internal {

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
