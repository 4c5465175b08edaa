#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/core/rules/labels.hpp>
#include <tenon/tensor/index.hpp>
#include <tenon/tensor/mark.hpp>

namespace tenon::internal {

enum class NodeKind : std::uint8_t;
class SharedBuffer;
struct SliceSteps;

}  // namespace tenon::internal

namespace tenon::internal::ir {

struct NodeType;

/// A node of an expression as data: its address, and the description of its type. A reference: the
/// expression has to outlive it. The members are defined in `ir/node.hpp`.
class Node {
 public:
  Node() = default;  ///< No node.
  Node(NodeType const& type, void const* address)
      : type_(&type), address_(static_cast<std::byte const*>(address)) {}

  NodeType const* operator->() const { return type_; }
  NodeType const* type() const { return type_; }
  std::byte const* address() const { return address_; }

  bool is(NodeKind kind) const;
  bool is_leaf() const;    ///< A tensor, a view of memory, or the value of an earlier kernel.
  bool is_gather() const;  ///< Its second operand selects elements of the first.
  int rank() const;
  std::size_t operand_count() const;
  Node operand_at(std::size_t k) const;
  /// Calls `f` for every operand, in order.
  template <class F>
  void each(F const& f) const;

  /// The sizes at run time. Throws if the node was moved from.
  Sizes sizes() const;
  std::int64_t count() const;
  /// The mark of a tensor; empty for any other node.
  TapeMark mark() const;
  /// The shared buffer of a tensor on the host; null for any other node, and an inline tensor.
  SharedBuffer const* buffer() const;
  /// The elements of a tensor, in the memory of its device. Throws if it was moved from.
  void const* elements() const;
  /// The start of a view.
  ElementIndex const& start() const;
  /// The steps of a strided view.
  SliceSteps const& steps() const;
  /// Whether a view reads an element more than once, as windows do.
  bool overlaps() const;
  /// The extent of each label of a contraction.
  LabelExtents extents() const;
  /// The number of a constant, in the dtype of the node.
  template <class T>
  T number() const;
  void copy_number(void* to) const;
  /// Calls `f` for the run-time numbers that identify a node, excluding its operands.
  template <class F>
  void each_number(F const& f) const;

 private:
  /// The member at an offset in bytes.
  template <class T>
  T const& part(std::size_t place) const {
    return *reinterpret_cast<T const*>(address_ + place);
  }

  NodeType const* type_ = nullptr;
  std::byte const* address_ = nullptr;
};

}  // namespace tenon::internal::ir
