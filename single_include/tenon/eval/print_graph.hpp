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

#include <tenon/tenon.hpp>

// ---- tenon/eval/plan/plan.hpp

#ifndef TENON_EVAL_PLAN_PLAN_HPP
#define TENON_EVAL_PLAN_PLAN_HPP

/// The kernels that evaluating a recipe would run, in order, without running any.
namespace tenon {

/// The value of an earlier kernel where a later one reads it.
template <class T, Spec S, class D>
struct Earlier : ExpressionNode<Earlier<T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  int number;  ///< Of the kernel.
  Sizes extents;

  constexpr Earlier(int kernel, Sizes const& sizes) : number(kernel), extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

template <class E>
inline constexpr bool is_earlier = false;
template <class T, Spec S, class D>
inline constexpr bool is_earlier<Earlier<T, S, D>> = true;

/// Stands for the product that a kernel computes itself, before its epilogue.
inline constexpr int own_product = -1;

template <class E>
constexpr auto earlier(E const& e, int number) {
  return Earlier<typename E::value_type, spec_of<E>, typename E::device>(number, e.sizes());
}

/// Settles recipes as evaluation does; where a kernel would run, tells `Visitor` of it, and puts an
/// `Earlier` in its place. A visitor has `kernel(recipe)`, `product(contract)` and
/// `epilogue(contract, recipe)`, where the recipe reads the product as `own_product`; each gives
/// the kernel's number.
template <class Visitor>
class Planned {
 public:
  explicit Planned(Visitor& visitor) : visitor_(&visitor) {}

  template <class E>
  auto operator()(E const& e) const {
    if constexpr (TensorType<E> || is_earlier<E>) return e;
    else return earlier(e, number_of(e));
  }

  template <class R, class E>
  static auto reshaped_to(E const& value, Sizes const& sizes) {
    return Earlier<typename R::value_type, R::spec, typename R::device>(value.number, sizes);
  }

 private:
  template <class E>
  int number_of(E const& e) const {
    if constexpr (is_contract<E>) {
      return visitor_->product(e);
    } else if constexpr (FusesEpilogue<E>) {
      auto const& product = host_of(e);
      auto const rest = settled(with_host(e, earlier(product, own_product)), *this);
      return visitor_->epilogue(product, rest);
    } else {
      auto const recipe = settled(e, *this);
      if constexpr (is_earlier<Unqualified<decltype(recipe)>>) return recipe.number;
      else return visitor_->kernel(recipe);
    }
  }

  Visitor* visitor_;
};

/// Tells `visitor` of every kernel that evaluating `e` would run, in order. A tensor needs none.
template <class Visitor, class E>
void plan(E const& e, Visitor& visitor) {
  (void)Planned<Visitor>(visitor)(e);
}

}  // namespace tenon
#endif

// ---- tenon/eval/plan/leaf.hpp

#ifndef TENON_EVAL_PLAN_LEAF_HPP
#define TENON_EVAL_PLAN_LEAF_HPP

#include <cstring>
#include <memory>
#include <string>

namespace tenon {

/// What a kernel reads: a tensor, a view, or the result of an earlier kernel.
template <class E>
concept Leaf = TensorType<E> || is_view<E> || is_earlier<E>;

/// Does a leaf stand for the product that its kernel computes itself?
template <Leaf E>
bool is_own_product(E const& leaf) {
  if constexpr (is_earlier<E>) return leaf.number == own_product;
  else return false;
}

/// The memory behind a leaf.
struct LeafMemory {
  std::string_view dtype;
  std::string spec;
  Sizes extents = ones();
  void const* data = nullptr;
  int earlier = own_product;  ///< The kernel that computes it, where one does.
  bool is_view = false;
  std::size_t held_bytes = 0;         ///< Of a tensor that holds its elements itself.
  std::shared_ptr<void const> owner;  ///< Keeps the elements.

  /// Are both the same elements? What tensors hold themselves is compared; views never are.
  bool same(LeafMemory const& other) const {
    if (dtype != other.dtype || spec != other.spec || earlier != other.earlier) return false;
    if (extents != other.extents) return false;  // two tensors may share a buffer
    if (is_view || other.is_view) return false;
    return held_bytes == 0 ? data == other.data : std::memcmp(data, other.data, held_bytes) == 0;
  }
};

template <Leaf E>
LeafMemory memory_of_leaf(E const& leaf) {
  LeafMemory memory;
  memory.dtype = dtype_name<typename E::value_type>;
  memory.spec = std::string(spec_of<E>.view());
  memory.extents = leaf.sizes();
  memory.is_view = is_view<E>;
  if constexpr (is_earlier<E>) {
    memory.earlier = leaf.number;
  } else {
    auto const copy = std::make_shared<E const>(leaf);
    memory.data = copy->data();
    memory.owner = copy;
  }
  if constexpr (TensorType<E>) {
    if constexpr (E::holds_elements)
      memory.held_bytes = sizeof(typename E::value_type) * static_cast<std::size_t>(leaf.size());
  }
  return memory;
}

/// Equal types have equal marks.
template <class E>
inline char type_mark = 0;  // not a constant: those of equal value may be merged

}  // namespace tenon
#endif

// ---- tenon/eval/plan/graph.hpp

#ifndef TENON_EVAL_PLAN_GRAPH_HPP
#define TENON_EVAL_PLAN_GRAPH_HPP

#include <map>
#include <vector>

/// Which operation of a recipe lands in which kernel.
namespace tenon {

struct PlanNode {
  std::string name;               ///< `x0` for a tensor, `v3` for a value.
  std::string op;                 ///< With its operands: `add(v1, x0)`.
  std::string type;               ///< `float32 "batch digit=10"`.
  std::vector<std::size_t> from;  ///< The operands that are nodes.
};

struct PlanKernel {
  std::string kind;
  std::vector<std::size_t> nodes;
};

struct PlanGraph {
  std::vector<PlanNode> nodes;
  std::vector<std::size_t> tensors;
  std::vector<PlanKernel> kernels;
};

template <class T>
std::string constant_text(T number) {
  if constexpr (std::floating_point<T>) return lone_number(number);
  else if constexpr (std::same_as<T, bool>) return number ? "true" : "false";
  else if constexpr (std::integral<T>) return std::to_string(number);
  else if constexpr (HalfType<T>) return lone_number(static_cast<float>(number));
  else return "(" + lone_number(number.real()) + ", " + lone_number(number.imag()) + ")";
}

/// Builds the graph of a plan.
class PlanGraphBuilder {
 public:
  template <class E>
  int kernel(E const& e) {
    begin(has_fold<E> ? "rows" : is_column_fold<E> ? "columns" : "map");
    return finish(node(e));
  }
  template <class E>
  int product(E const& e) {
    begin("product");
    return finish(node(e));
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    begin("product with epilogue");
    product_ = node(product);
    return finish(node(e));
  }

  PlanGraph const& graph() const { return graph_; }

 private:
  void begin(std::string kind) { graph_.kernels.push_back({std::move(kind), {}}); }
  int finish(std::size_t result) {
    results_.push_back(result);
    known_.clear();
    return static_cast<int>(results_.size()) - 1;
  }

  template <class E>
  std::size_t node(E const& e) {
    if constexpr (Leaf<E>) return leaf(e);
    else return inner(e);
  }

  template <class E>
  std::size_t leaf(E const& e) {
    if (is_own_product(e)) return product_;
    LeafMemory const memory = memory_of_leaf(e);
    if (memory.earlier >= 0) return results_[static_cast<std::size_t>(memory.earlier)];
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (memories_[i].same(memory)) return graph_.tensors[i];
    }
    memories_.push_back(memory);
    std::string const name = "x" + std::to_string(graph_.tensors.size());
    graph_.tensors.push_back(add({name, is_view<E> ? "view" : "tensor", type_of<E>(), {}}));
    return graph_.tensors.back();
  }

  /// A node of the kernel; the same once more is the same node.
  template <class E>
  std::size_t inner(E const& e) {
    PlanNode made{{}, std::string(node_name<E>), type_of<E>(), {}};
    made.op += "(" + operands(e, made.from) + ")";
    std::string const key = key_of(e) + made.op;
    if (auto const known = known_.find(key); known != known_.end()) return known->second;
    made.name = "v" + std::to_string(graph_.nodes.size() - graph_.tensors.size());
    graph_.kernels.back().nodes.push_back(add(std::move(made)));
    return known_[key] = graph_.nodes.size() - 1;
  }

  /// The names of the operands; numbers stand for themselves.
  template <class E>
  std::string operands(E const& e, std::vector<std::size_t>& from) {
    std::string names;
    each_operand(e, [&](auto const& operand) {
      if (!names.empty()) names += ", ";
      if constexpr (is_constant<Unqualified<decltype(operand)>>) {
        names += constant_text(operand.value);
      } else {
        from.push_back(node(operand));
        names += graph_.nodes[from.back()].name;
      }
    });
    return names;
  }

  template <class E>
  static std::string key_of(E const& e) {
    std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(&type_mark<E>));
    each_number(e, [&](std::int64_t number) { key += "," + std::to_string(number); });
    return key + " ";
  }

  template <class E>
  static std::string type_of() {
    std::string const dtype(dtype_name<typename E::value_type>);
    return dtype + " \"" + std::string(spec_of<E>.view()) + "\"";
  }
  std::size_t add(PlanNode made) {
    graph_.nodes.push_back(std::move(made));
    return graph_.nodes.size() - 1;
  }

  PlanGraph graph_;
  std::vector<LeafMemory> memories_;
  std::map<std::string, std::size_t> known_;
  std::vector<std::size_t> results_;
  std::size_t product_ = 0;
};

}  // namespace tenon
#endif

// ---- tenon/eval/print_graph.hpp

#include <iostream>

/// How a recipe would be evaluated, for people to read. Nothing is computed.
namespace tenon {

/// The kernels that evaluating a recipe runs, and what is computed in each.
template <class E>
PlanGraph plan_graph(E const& e) {
  PlanGraphBuilder builder;
  plan(e, builder);
  return builder.graph();
}

/// One line of a graph: `v1 = exp(v0)`, and its type from column 36 on.
inline std::string graph_line(PlanNode const& node, std::string const& indent) {
  std::string line = indent + node.name + " = " + node.op + " ";
  if (line.size() < 36) line.resize(36, ' ');
  return line + node.type + "\n";
}

inline std::string graph_text(PlanGraph const& graph) {
  std::string text;
  for (std::size_t node : graph.tensors) text += graph_line(graph.nodes[node], "");
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
    text += "kernel " + std::to_string(k) + ": " + graph.kernels[k].kind + "\n";
    for (std::size_t node : graph.kernels[k].nodes) text += graph_line(graph.nodes[node], "  ");
  }
  return text;
}

/// A node in Graphviz's language; quotes of a spec are escaped.
inline std::string dot_node(PlanNode const& node) {
  std::string label = node.op + "\\n";
  for (char c : node.type) label += c == '"' ? std::string("\\\"") : std::string{c};
  return "    " + node.name + " [label=\"" + label + "\"];\n";
}

inline std::string dot_cluster(PlanGraph const& graph, std::string const& name,
                               std::string const& label, std::vector<std::size_t> const& nodes) {
  std::string text = "  subgraph cluster_" + name + " {\n    label=\"" + label + "\";\n";
  for (std::size_t node : nodes) text += dot_node(graph.nodes[node]);
  return text + "  }\n";
}

inline std::string graph_dot(PlanGraph const& graph) {
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

/// The plan of a recipe as a text: its tensors, then each kernel with its operations in order,
/// their dtype and spec. JAX: `make_jaxpr`.
template <Expression X>
std::string graph_text(X const& recipe) {
  return graph_text(plan_graph(recipe));
}
template <class X>
auto graph_text(X const&) -> FirstMistake<X>;

/// The same in Graphviz's language: a node for each operation, a cluster for each kernel.
template <Expression X>
std::string graph_dot(X const& recipe) {
  return graph_dot(plan_graph(recipe));
}
template <class X>
auto graph_dot(X const&) -> FirstMistake<X>;

/// Writes the plan of a recipe to standard output.
template <Expression X>
void print_graph(X const& recipe) {
  std::cout << graph_text(recipe);
}
template <class X>
auto print_graph(X const&) -> FirstMistake<X>;

}  // namespace tenon
