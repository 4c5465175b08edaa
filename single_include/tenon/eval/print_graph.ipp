// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <iostream>

#include <tenon/tenon.hpp>
#include <tenon/eval/print_graph.hpp>

namespace tenon {

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
  std::string text = "digraph recipe {\n  node [shape=box];\n";
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

}  // namespace tenon
