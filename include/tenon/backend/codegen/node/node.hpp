#pragma once

#include <tenon/backend/codegen/node/map_op.hpp>
#include <tenon/backend/codegen/node/reduction_op.hpp>
#include <tenon/eval/plan/leaf.hpp>
#include <tenon/eval/plan/node_layout.hpp>

/// Expressions as data: for each node type a constant describes the node, so that the kernel
/// printer is compiled once for all expressions.
namespace tenon::internal::codegen {

/// The description of a leaf in addition to its dtype and shape.
struct LeafType {
  void const* (*elements)(void const* leaf);
  Sizes (*sizes)(void const* leaf);
  LeafMemory (*memory)(void const* leaf);
  Sizes (*strides)(void const* leaf) = nullptr;               ///< Of a view.
  SharedBuffer const& (*buffer)(void const* leaf) = nullptr;  ///< Of a tensor on a device.
  std::size_t mark = 0;                                       ///< The offset of a tensor's mark.
};

template <Leaf E>
struct LeafTypeOf {
  static E const& at(void const* leaf) { return *static_cast<E const*>(leaf); }
  static void const* elements(void const* leaf) {
    if constexpr (is_earlier<E>) return nullptr;
    else return stored_elements(at(leaf));
  }
  static Sizes sizes(void const* leaf) { return at(leaf).sizes(); }
  static LeafMemory memory(void const* leaf) { return memory_of_leaf(at(leaf)); }
  static Sizes strides(void const* leaf) { return at(leaf).strides(); }

  static SharedBuffer const& buffer(void const* leaf) { return at(leaf).storage().buffer; }

  static constexpr LeafType make() {
    LeafType type{&elements, &sizes, &memory};
    if constexpr (is_view<E>) type.strides = &strides;
    if constexpr (TensorType<E> && !E::device::is_host) type.buffer = &buffer;
    if constexpr (TensorType<E>) type.mark = TensorPlaces::mark<E>;
    return type;
  }
  static constexpr LeafType value = make();
};

/// The description of a node type.
struct NodeType : NodeLayout {
  std::string_view spec{};
  Shape const* shape = nullptr;
  Dtype const* dtype = nullptr;
  std::array<NodeType const*, 3> operands{};
  bool has_reduction = false;  ///< Whether it contains a reduction along rows.
  int wanted_row = 0;          ///< The number of row axes that it requires.

  LeafType const* leaf = nullptr;
  MapOp const* map = nullptr;
  ReductionOp const* reduction = nullptr;  ///< Of a product: the sum.
  bool overlaps = false;                   ///< Whether a view reads an element more than once.
  Value (*index)(Value const& id) = nullptr;
  Value (*multiply)(Value const& a, Value const& b) = nullptr;

  int rank() const { return shape->rank; }
};

/// A reference to a node of an expression; the expression has to outlive it.
class Node {
 public:
  Node(NodeType const& type, void const* at)
      : type_(&type), at_(static_cast<std::byte const*>(at)) {}

  NodeType const* operator->() const { return type_; }
  NodeType const* type() const { return type_; }
  void const* address() const { return at_; }
  Node operand_at(std::size_t k) const { return {*type_->operands[k], at_ + type_->places[k]}; }
  int rank() const { return type_->shape->rank; }
  bool is(NodeKind kind) const { return type_->kind == kind; }
  bool is_leaf() const { return type_->leaf != nullptr; }
  bool is_choice() const { return type_->index != nullptr; }

  /// The member at an offset in bytes.
  template <class T>
  T const& part(std::size_t place) const {
    return *reinterpret_cast<T const*>(at_ + place);
  }
  Value number() const;
  TapeMark mark() const { return part<TapeMark>(type_->leaf->mark); }
  ElementIndex const& start() const { return part<ElementIndex>(type_->start); }
  SliceSteps const& steps() const { return part<SliceSteps>(type_->start); }

  /// The sizes at run time. Throws if the node was moved from.
  Sizes sizes() const;
  std::int64_t count() const { return tenon::internal::count(sizes(), rank()); }
  /// The run-time extents of the labels of a contraction.
  LabelExtents extents() const;

  /// Calls `f` for every operand, in order.
  void each(Callback<void(Node)> const& f) const {
    for (std::size_t k = 0; k < type_->operand_count; ++k) f(operand_at(k));
  }
  /// Calls `f` for the run-time numbers that identify a node, excluding its operands.
  void each_number(Callback<void(std::int64_t)> const& f) const;

 private:
  NodeType const* type_;
  std::byte const* at_;
};

/// The largest number of elements that any reduction of an expression combines.
std::int64_t longest_reduction(Node e);
/// The nesting depth of reductions.
int reduction_depth_of(Node e);
/// The ops of an expression, from the last one, as part of a name: `relu_add_mul`.
std::string ops_text(Node e);
/// The dtype and the spec of an expression.
std::string type_of_expression(Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/node/node.ipp>
#endif
