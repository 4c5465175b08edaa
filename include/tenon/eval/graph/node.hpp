#pragma once

#include <tenon/eval/graph/product.hpp>
#include <tenon/eval/graph/tensor.hpp>

/// How an expression enters a graph: from the description of its nodes.
namespace tenon::internal::graph {

/// What a graph needs of a type of node beside its description: functions of its op and dtypes.
struct NodeRule {
  MapOp const* map = nullptr;
  Id (*reduction)(Id x, ReducedAxes const& folding) = nullptr;
  Contracting::Multiply multiply = nullptr;
  /// Of a leaf, a constant, a gather, and a node without a derivative: its value.
  Id (*enter)(ir::Node node) = nullptr;
};

/// Adds a node and its operands to the graph that is being recorded.
Id enter(ir::Node node);

/// The value of an expression in the graph.
template <TensorType R>
[[gnu::cold, gnu::noinline]] R value_of(ir::Node expression) {
  return tensor_of<R>(enter(expression), expression.sizes());
}

/// Elements of `from`, the one at an index by its row-major position `position(index)`.
template <class F>
[[gnu::cold]] Id take_at(ir::Node from, Extent const& extent, F const& position) {
  auto* const positions = new std::vector<std::int64_t>;
  Positions const owner(positions);
  ElementIndex index{};
  if (extent.count() > 0) {
    do positions->push_back(position(index));
    while (next(index, extent.sizes, extent.rank));
  }
  return Graph::current->take(enter(from), owner, extent);
}

}  // namespace tenon::internal::graph

#if TENON_DEFINES_RUNTIME

#include <tenon/core/config.hpp>

namespace tenon::internal::graph {

[[gnu::cold]] inline Extent extent_of(ir::Node node) { return {node.rank(), node.sizes()}; }

[[gnu::cold]] inline Id enter_map(ir::Node node) {
  std::array<Id, 3> x{};
  for (std::size_t k = 0; k < node.operand_count(); ++k) x[k] = enter(node.operand_at(k));
  return Graph::current->map(*node->rule->map, std::span(x).first(node.operand_count()),
                             node->axes_of, extent_of(node));
}

/// The axes of a reduction's operand in its result; -1: reduced.
[[gnu::cold]] inline AxisMap reduced_to(ir::Node node) {
  AxisMap order = no_axes();
  for (int i = 0, to = 0; i < node.operand_at(0).rank(); ++i) {
    bool const reduces = has_axis(node->axes, i);
    if (!reduces) order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(to);
    to += node->keeps || !reduces ? 1 : 0;
  }
  return order;
}
[[gnu::cold]] inline Id enter_reduction(ir::Node node) {
  ir::Node const operand = node.operand_at(0);
  return node->rule->reduction(enter(operand),
                               {{extent_of(operand), reduced_to(node)}, extent_of(node)});
}

[[gnu::cold]] inline Id enter_index_map(ir::Node node) {
  ir::Node const operand = node.operand_at(0);
  return Graph::current->view(enter(operand), extent_of(operand),
                              {extent_of(node), *node->axes_of, node.start()});
}

[[gnu::cold]] inline Id enter_step(ir::Node node) {
  SliceSteps const& steps = node.steps();
  return take_at(node.operand_at(0), extent_of(node), [&](ElementIndex const& index) {
    return steps.start + offset(steps.along, index, node.rank());
  });
}

[[gnu::cold]] inline Id enter_product(ir::Node node) {
  Contraction const& rule = *node->contraction;
  Contracting const contracting{rule.left,
                                rule.right,
                                rule.out,
                                node.extents(),
                                static_cast<std::size_t>(rule.labels),
                                node->rule->multiply};
  Id const a = enter(node.operand_at(0));
  return Graph::current->product(a, enter(node.operand_at(1)), contracting, extent_of(node));
}

[[gnu::cold]] TENON_RUNTIME Id enter(ir::Node node) {
  if (node->rule->enter != nullptr) return node->rule->enter(node);
  if (node.is(NodeKind::map)) return enter_map(node);
  if (node.is(NodeKind::reduction)) return enter_reduction(node);
  if (node.is(NodeKind::index_map)) return enter_index_map(node);
  return node.is(NodeKind::step) ? enter_step(node) : enter_product(node);
}

}  // namespace tenon::internal::graph

#endif
