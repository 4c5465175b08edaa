#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/core/rules/labels.hpp>
#include <tenon/expr/places.hpp>
#include <tenon/ir/earlier.hpp>
#include <tenon/op/symbolic.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tensor/node.hpp>
#include <tenon/tensor/view.hpp>

/// The leaves of an expression as data.
namespace tenon::internal {

/// An input of a kernel: a tensor, a view, or the result of an earlier kernel.
template <class E>
concept Leaf = TensorType<E> || is_view<E> || is_earlier<E>;

}  // namespace tenon::internal

namespace tenon::internal::ir {

/// The type of a leaf: what its node description does not say. The argument is its address.
struct LeafType {
  Sizes (*sizes)(void const* leaf);
  /// The elements of a tensor or a view on the host. Sets its strides and the number of elements.
  void const* (*elements)(void const* leaf, Sizes& strides, std::int64_t& count) = nullptr;
  std::size_t mark = 0;       ///< The offset of a tensor's mark; 0 for a leaf without one.
  std::size_t storage = 0;    ///< The offset of a tensor's shared buffer,
  bool is_inline = false;     ///< or of its elements.
  bool is_on_device = false;  ///< Whether the buffer is in the memory of a device.
  bool has_buffer = false;    ///< Whether it is on the host.
  bool is_plain = false;      ///< Whether it is trivially copyable, except for that buffer.
  /// Copies its elements to the host, row-major; null for the value of an earlier kernel.
  void (*copy)(void const* leaf, std::byte* to) = nullptr;
};

template <Leaf E>
struct LeafTypeOf {
  static E const& at(void const* leaf) { return *static_cast<E const*>(leaf); }
  static Sizes sizes(void const* leaf) { return at(leaf).sizes(); }
  static void const* elements(void const* leaf, Sizes& strides, std::int64_t& count) {
    E const& e = at(leaf);
    Sizes const sizes = e.sizes();
    count = 1;
    for (int i = E::shape.rank - 1; i >= 0; --i) {
      tenon::internal::at(strides, i) = count;
      count *= tenon::internal::at(sizes, i);
    }
    if constexpr (is_view<E>) strides = e.strides();
    return stored_elements(e);
  }
  [[gnu::cold]] static void copy(void const* leaf, std::byte* to) {
    E const& e = at(leaf);
    auto* const elements = reinterpret_cast<typename E::value_type*>(to);
    if constexpr (is_view<E>) copy_view(e, elements);
    else std::copy_n(&host_elements(e)[0], e.size(), elements);
  }

  static constexpr LeafType value = [] {
    LeafType type{&sizes};
    if constexpr (TensorType<E>) {
      type.mark = TensorPlaces::mark<E>;
      type.storage = TensorPlaces::storage<E>;
      type.is_inline = E::holds_elements;
      type.is_on_device = !E::device::is_host;
      type.has_buffer = !type.is_inline && !type.is_on_device;
    }
    type.is_plain = TensorType<E> ? E::device::is_host : std::is_trivially_copyable_v<E>;
    if constexpr (!is_earlier<E> && E::device::is_host) type.elements = &elements;
    if constexpr (!is_earlier<E>) type.copy = &copy;
    return type;
  }();

 private:
  static void copy_view(E const& e, typename E::value_type* to) {
    ElementIndex index{};
    for (std::int64_t i = 0; i < e.size(); ++i) {
      to[i] = host_element<typename E::device>(e.data(), offset(e.strides(), index, E::rank));
      next(index, e.sizes(), E::rank);
    }
  }
};

}  // namespace tenon::internal::ir

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
