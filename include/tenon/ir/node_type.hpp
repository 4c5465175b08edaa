#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/core/rules/labels.hpp>
#include <tenon/ir/leaf.hpp>
#include <tenon/op/symbolic.hpp>
#include <tenon/tensor/node.hpp>

/// Expressions as data: a constant for each type of node describes its operation, its axes and the
/// offsets of its operands and run-time numbers. Traces, printed graphs, kernel text, derivatives
/// of derivatives and ONNX read it.
namespace tenon::internal::codegen {

struct NodeText;

}  // namespace tenon::internal::codegen

namespace tenon::internal::graph {

struct NodeRule;

}  // namespace tenon::internal::graph

namespace tenon::internal {

enum class NodeKind : std::uint8_t {
  tensor,
  view,
  earlier,  ///< The value of an earlier kernel of a plan.
  constant,
  map,
  reduction,
  index_map,
  step,
  take,
  pick,
  take_along,
  product,
  abstract_operand  ///< Without elements: an operand of sharding propagation.
};

namespace ir {

struct LeafAccess;

/// The description of a type of node.
struct NodeType {
  NodeKind kind = NodeKind::earlier;
  std::string_view name{};  ///< Of the operation; empty for a leaf.
  std::string_view dtype{};
  std::size_t bytes = 0;  ///< Of an element.
  int rank = 0;
  std::array<NodeType const*, 3> operands{};
  std::uint32_t const* places = nullptr;  ///< Offsets of the operands in the node, in bytes.
  std::size_t operand_count = 0;

  symbolic::OpRecord const* op = nullptr;  ///< Of a map or a reduction.
  /// The axes of the operands of an elementwise op, concatenated; of the operand of a view.
  AxisMap const* axes_of = nullptr;
  AxisBits axes = 0;  ///< The axes of a reduction.
  bool keeps = false;
  Sizes (*operand_sizes)(void const* reduction) = nullptr;
  bool stops_gradient = false;
  bool is_cached = false;        ///< Whether it has a cache for its value,
  std::size_t cached_value = 0;  ///< at this offset.
  bool moves_as_bytes = false;   ///< Its first run-time size marks one that was moved from.
  int axis = 0;                  ///< The indexed axis of a gather.
  int number_of_operand = 0;     ///< Of an abstract operand.
  Contraction const* contraction = nullptr;
  /// Offsets of run-time values: the number of a constant, sizes, and the start of a view or slice.
  std::size_t number = 0, sizes = 0, start = 0;
  LeafType const* leaf = nullptr;

  /// The static sizes; null where the sizes are those of the operands, or all stored.
  Sizes const* known_sizes = nullptr;
  AxisBits stored_axes = 0;  ///< The other axes, whose sizes are stored in the node, in order.

  /// Of a view or a contraction with run-time sizes; of every node in the description of a plan. (A
  /// shape takes more memory than all the rest.)
  Shape const* shape = nullptr;

  // In the description of a plan.
  std::string_view spec{};
  LeafAccess const* access = nullptr;
  bool has_reduction = false;  ///< Whether it contains a reduction along rows.
  int wanted_row = 0;          ///< The number of row axes that it requires.

  // What other layers add.
  codegen::NodeText const* text = nullptr;  ///< In the text of kernels.
  graph::NodeRule const* rule = nullptr;    ///< In a graph of derivatives.
};

}  // namespace ir
}  // namespace tenon::internal
