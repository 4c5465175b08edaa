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

#include <string>
#include <vector>

#include <tenon/eval/plan/graph.hpp>

/// Prints how an expression would be evaluated. Nothing is computed.
namespace tenon {

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
std::string graph_text(X const& recipe) {
  return graph_text(plan_graph(recipe));
}
template <class X>
auto graph_text(X const&) -> FirstMistake<X>;

/// The same in Graphviz's DOT language: a node for each operation, a cluster for each kernel.
template <Expression X>
std::string graph_dot(X const& recipe) {
  return graph_dot(plan_graph(recipe));
}
template <class X>
auto graph_dot(X const&) -> FirstMistake<X>;

/// Writes the plan of an expression to standard output.
template <Expression X>
void print_graph(X const& recipe) {
  print_text(graph_text(recipe));
}
template <class X>
auto print_graph(X const&) -> FirstMistake<X>;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/print_graph.ipp>
#endif
