#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <tenon/core/rules/labels.hpp>
#include <tenon/expr/places.hpp>
#include <tenon/expr/view/stepped.hpp>
#include <tenon/ir/axis_sets.hpp>
#include <tenon/ir/earlier.hpp>
#include <tenon/op/symbolic.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tensor/tracing.hpp>
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

namespace tenon::internal::ir {

inline bool Node::is(NodeKind kind) const { return type_->kind == kind; }
inline bool Node::is_leaf() const { return type_->leaf != nullptr; }
inline bool Node::is_gather() const {
  return is(NodeKind::take) || is(NodeKind::pick) || is(NodeKind::take_along);
}
inline int Node::rank() const { return type_->rank; }
inline std::size_t Node::operand_count() const { return type_->operand_count; }
inline Node Node::operand_at(std::size_t k) const {
  return {*type_->operands[k], address_ + type_->places[k]};
}
template <class F>
void Node::each(F const& f) const {
  for (std::size_t k = 0; k < type_->operand_count; ++k) f(operand_at(k));
}

inline std::int64_t Node::count() const { return tenon::internal::count(sizes(), rank()); }
inline TapeMark Node::mark() const {
  if (!is_leaf() || type_->leaf->mark == 0) return {};
  return part<TapeMark>(type_->leaf->mark);
}
inline SharedBuffer const* Node::buffer() const {
  if (!is_leaf() || !type_->leaf->has_buffer) return nullptr;
  return &part<SharedBuffer>(type_->leaf->storage);
}
inline ElementIndex const& Node::start() const { return part<ElementIndex>(type_->start); }
inline SliceSteps const& Node::steps() const { return part<SliceSteps>(type_->start); }
/// Whether nodes of a type read an element of their operand more than once.
constexpr bool overlaps(NodeType const& type) {
  return type.kind == NodeKind::step ||
         (type.kind == NodeKind::index_map && tenon::internal::overlaps(*type.axes_of, type.rank));
}
inline bool Node::overlaps() const { return ir::overlaps(*type_); }
inline void Node::copy_number(void* to) const {
  std::memcpy(to, address_ + type_->number, type_->bytes);
}
template <class T>
T Node::number() const {
  T number;
  copy_number(&number);
  return number;
}

template <class F>
void Node::each_number(F const& f) const {
  if (!is(NodeKind::index_map) && !is(NodeKind::step)) return;
  for (std::int64_t const size : sizes()) f(size);
  if (is(NodeKind::index_map))
    for (std::int64_t const place : start()) f(place);
  if (!is(NodeKind::step)) return;
  for (std::int64_t const step : steps().along) f(step);
  f(steps().start);
}

}  // namespace tenon::internal::ir

#if TENON_DEFINES_RUNTIME

#include <tenon/core/rules/contraction.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/reduction.hpp>

namespace tenon::internal::ir {

/// The static sizes of a node, and those that it stores. Throws if it was moved from.
inline Sizes stored_sizes(NodeType const& type, std::int64_t const* stored) {
  Sizes sizes = *type.known_sizes;
  if (type.stored_axes != 0) check_not_gone(*stored);
  for (int i = 0; i < type.rank; ++i)
    if (has_axis(type.stored_axes, i)) at(sizes, i) = *stored++;
  return sizes;
}

TENON_RUNTIME void const* Node::elements() const {
  if (type_->leaf->is_inline) return address_ + type_->leaf->storage;
  auto const& buffer = part<SharedBuffer>(type_->leaf->storage);
  if (!buffer && count() > 0) refuse_moved_from();
  return buffer.as<std::byte>();
}

[[gnu::noinline]] TENON_RUNTIME Sizes Node::sizes() const {
  if (is_leaf()) return type_->leaf->sizes(address_);
  // (A pointer, not a reference: for static sizes nothing is there, and it may be unaligned.)
  if (type_->known_sizes != nullptr)
    return stored_sizes(*type_, reinterpret_cast<std::int64_t const*>(address_ + type_->sizes));
  switch (type_->kind) {
    case NodeKind::reduction:
      return reduced_sizes(operand_at(0).sizes(), operand_at(0).rank(), type_->axes, type_->keeps);
    case NodeKind::step:
      return part<Sizes>(type_->sizes);
    case NodeKind::take:
      return gathered_sizes(operand_at(0).sizes(), operand_at(0).rank(), operand_at(1).sizes(),
                            operand_at(1).rank(), type_->axis);
    case NodeKind::pick:
    case NodeKind::take_along:
      return operand_at(1).sizes();
    case NodeKind::product:
      return sizes_of_labels(extents(), type_->contraction->out, rank());
    default:
      return unit_sizes();  // of a constant
  }
}

[[gnu::noinline]] TENON_RUNTIME LabelExtents Node::extents() const {
  Contraction const& rule = *type_->contraction;
  LabelExtents extents = rule.extents;
  auto const end = extents.begin() + rule.labels;
  AxisMap const* const labels[] = {&rule.left, &rule.right};
  for (std::size_t k = 0; k < operand_count() && std::find(extents.begin(), end, dynamic) != end;
       ++k) {
    Node const operand = operand_at(k);
    Sizes const own = operand.sizes();
    for (int i = 0; i < operand.rank(); ++i) {
      int const label = (*labels[k])[static_cast<std::size_t>(i)];
      if (label >= 0) extents[static_cast<std::size_t>(label)] = at(own, i);
    }
  }
  return extents;
}

}  // namespace tenon::internal::ir

#endif
