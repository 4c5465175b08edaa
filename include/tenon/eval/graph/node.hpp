#pragma once

#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/tape/kept.hpp>

/// How a recipe of any type goes into a graph. Maps, of which there are most, are data: what enters
/// them is one function.
namespace tenon::graph {

/// A node in a graph. (A value of equal elements may be a single number: its sizes are here.)
struct Entered {
  Id id;
  Sizes sizes;
};

/// A type of node.
struct NodeType {
  int rank;
  Entered (*enter)(void const* node) = nullptr;  ///< Of all but maps.
  MapOp const* op = nullptr;                     ///< Of a map.
  AxisMap const* maps = nullptr;
  int number = 0;
  std::array<NodeType const*, 3> operands{};
  std::uint32_t const* places = nullptr;  ///< Of the operands in the node.
};

/// Puts a node and all below it into the graph that is being made.
Entered entered(void const* node, NodeType const& type);

/// Is a recipe part of the graph that is being made, if any is?
bool is_joined_by(void const* recipe, RecipeLayout const& layout);

/// The value of a recipe in the graph.
template <TensorType R>
[[gnu::cold, gnu::noinline]] R value_of(void const* recipe, NodeType const& type) {
  Entered const value = entered(recipe, type);
  return tensor_of<R>(value.id, value.sizes);
}

}  // namespace tenon::graph

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/graph/node.ipp>
#endif
