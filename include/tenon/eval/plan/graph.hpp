#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <tenon/eval/plan/leaf.hpp>
#include <tenon/eval/plan/node_name.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/tensor/number_text.hpp>

/// The kernels to which the operations of an expression belong.
namespace tenon::internal {

struct PlanNode {
  std::string name;               ///< `x0` for a tensor, `v3` for a value.
  std::string op;                 ///< With its operands: `add(v1, x0)`.
  std::string type;               ///< `float32 "batch digit=10"`.
  std::vector<std::size_t> from;  ///< The operands that are nodes of the kernel.
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

/// Builds the graph of a plan.
class PlanGraphBuilder {
 public:
  template <class E>
  int kernel(E const& e) {
    begin(has_reduction<E> ? "rows" : is_column_reduction<E> ? "columns" : "map");
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

  /// A node of the kernel; an equal one is merged with it.
  template <class E>
  std::size_t inner(E const& e) {
    PlanNode made{{}, std::string(node_name<E>), type_of<E>(), {}};
    made.op += "(" + operands(e, made.from) + ")";
    std::string const key = key_of(e) + made.op;
    auto const known = std::ranges::find(known_, key, &std::pair<std::string, std::size_t>::first);
    if (known != known_.end()) return known->second;
    made.name = "v" + std::to_string(graph_.nodes.size() - graph_.tensors.size());
    graph_.kernels.back().nodes.push_back(add(std::move(made)));
    known_.emplace_back(key, graph_.nodes.size() - 1);
    return known_.back().second;
  }

  /// The names of the operands; numbers are printed as they are.
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
  std::vector<std::pair<std::string, std::size_t>> known_;  ///< Indexed by key.
  std::vector<std::size_t> results_;
  std::size_t product_ = 0;
};

}  // namespace tenon::internal
