#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tenon/ir/leaf_access.hpp>

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
  static constexpr bool packs_for_lanes = true;

  template <class E>
  int kernel(E const& e) {
    return add_kernel(has_reduction<E>         ? "rows"
                      : is_column_reduction<E> ? "columns"
                                               : "map",
                      described(e));
  }
  template <class E>
  int product(E const& e) {
    return add_kernel("product", described(e));
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    return add_epilogue(described(product), described(e));
  }

  PlanGraph const& graph() const { return graph_; }

 private:
  template <class E>
  static ir::Node described(E const& e) {
    return ir::described<ir::PlanColumns>(e);
  }

  int add_kernel(std::string kind, ir::Node result);
  int add_epilogue(ir::Node product, ir::Node result);
  std::size_t node(ir::Node e);
  std::size_t leaf(ir::Node e);
  /// A node of the kernel; an equal one is merged with it.
  std::size_t inner(ir::Node e);
  /// The names of the operands; numbers are printed as they are.
  std::string operands(ir::Node e, std::vector<std::size_t>& from);
  std::size_t add(PlanNode made);

  PlanGraph graph_;
  std::vector<LeafMemory> memories_;
  std::vector<std::pair<std::string, std::size_t>> known_;  ///< Indexed by key.
  std::vector<std::size_t> results_;
  std::size_t product_ = 0;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <complex>

#include <tenon/core/config.hpp>
#include <tenon/tensor/number_text.hpp>

namespace tenon::internal {

namespace plan_text {

/// The number of a constant, if its dtype is one of these.
template <class... T>
std::string number_text(ir::Node constant) {
  std::string text;
  auto const add = [&]<class X>(std::type_identity<X>) {
    if (constant->dtype == dtype_name<X>) text = constant_text(constant.number<X>());
  };
  (add(std::type_identity<T>()), ...);
  return text;
}
inline std::string number_text_of(ir::Node constant) {
  return number_text<float, double, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                     std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::complex<float>,
                     std::complex<double>>(constant);
}

inline std::string key_of(ir::Node e) {
  std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(e.type()));
  e.each_number([&](std::int64_t number) { key += "," + std::to_string(number); });
  return key + " ";
}

}  // namespace plan_text

TENON_RUNTIME int PlanGraphBuilder::add_kernel(std::string kind, ir::Node result) {
  graph_.kernels.push_back({std::move(kind), {}});
  results_.push_back(node(result));
  known_.clear();
  return static_cast<int>(results_.size()) - 1;
}

TENON_RUNTIME int PlanGraphBuilder::add_epilogue(ir::Node product, ir::Node result) {
  graph_.kernels.push_back({"product with epilogue", {}});
  product_ = node(product);
  results_.push_back(node(result));
  known_.clear();
  return static_cast<int>(results_.size()) - 1;
}

TENON_RUNTIME std::size_t PlanGraphBuilder::node(ir::Node e) {
  return e.is_leaf() ? leaf(e) : inner(e);
}

TENON_RUNTIME std::size_t PlanGraphBuilder::leaf(ir::Node e) {
  LeafMemory const memory = e->access->memory(e.address());
  if (e.is(NodeKind::earlier))
    return memory.earlier == own_product ? product_
                                         : results_[static_cast<std::size_t>(memory.earlier)];
  for (std::size_t i = 0; i < memories_.size(); ++i)
    if (memories_[i].same(memory)) return graph_.tensors[i];
  memories_.push_back(memory);
  std::string const name = "x" + std::to_string(graph_.tensors.size());
  std::string const kind = e.is(NodeKind::view) ? "view" : "tensor";
  graph_.tensors.push_back(add({name, kind, ir::type_text(e), {}}));
  return graph_.tensors.back();
}

TENON_RUNTIME std::size_t PlanGraphBuilder::inner(ir::Node e) {
  PlanNode made{{}, std::string(e->name), ir::type_text(e), {}};
  made.op += "(" + operands(e, made.from) + ")";
  std::string const key = plan_text::key_of(e) + made.op;
  auto const known = std::ranges::find(known_, key, &std::pair<std::string, std::size_t>::first);
  if (known != known_.end()) return known->second;
  made.name = "v" + std::to_string(graph_.nodes.size() - graph_.tensors.size());
  graph_.kernels.back().nodes.push_back(add(std::move(made)));
  known_.emplace_back(key, graph_.nodes.size() - 1);
  return known_.back().second;
}

TENON_RUNTIME std::string PlanGraphBuilder::operands(ir::Node e, std::vector<std::size_t>& from) {
  std::string names;
  e.each([&](ir::Node operand) {
    if (!names.empty()) names += ", ";
    if (operand.is(NodeKind::constant)) {
      names += plan_text::number_text_of(operand);
    } else {
      from.push_back(node(operand));
      names += graph_.nodes[from.back()].name;
    }
  });
  return names;
}

TENON_RUNTIME std::size_t PlanGraphBuilder::add(PlanNode made) {
  graph_.nodes.push_back(std::move(made));
  return graph_.nodes.size() - 1;
}

}  // namespace tenon::internal

#endif
