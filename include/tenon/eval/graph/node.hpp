#pragma once

#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/tape/kept.hpp>

/// How an expression of any type enters a graph. Maps, the most frequent nodes, are described by
/// data: one function enters all of them.
namespace tenon::internal::graph {

/// A node in a graph. (A value of equal elements may be a single number: its sizes are stored
/// here.)
struct Entered {
  Id id;
  Sizes sizes;
};

/// A type of node.
struct NodeType {
  int rank;
  Entered (*enter)(void const* node) = nullptr;  ///< Of all nodes but maps.
  MapOp const* op = nullptr;                     ///< Of a map.
  AxisMap const* maps = nullptr;
  int number = 0;
  std::array<NodeType const*, 3> operands{};
  std::uint32_t const* places = nullptr;  ///< Offsets of the operands in the node.
};

/// Adds a node and its operands to the graph that is being recorded.
Entered entered(void const* node, NodeType const& type);

/// Whether an expression belongs to the graph that is being recorded; false if there is none.
bool is_joined_by(void const* expression, ExpressionLayout const& layout);

/// The value of an expression in the graph.
template <TensorType R>
[[gnu::cold, gnu::noinline]] R value_of(void const* expression, NodeType const& type) {
  Entered const value = entered(expression, type);
  return tensor_of<R>(value.id, value.sizes);
}

}  // namespace tenon::internal::graph

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/graph/node.ipp>
#endif
