#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/ir/describe.hpp>

/// The memory of the leaves of an expression, for plans and kernels of devices.
namespace tenon::internal {

/// The memory behind a leaf.
struct LeafMemory {
  std::string_view dtype;
  std::string spec;
  Sizes extents = unit_sizes();
  void const* data = nullptr;
  int earlier = own_product;  ///< The kernel that computes it, if one does.
  bool is_view = false;
  std::size_t inline_bytes = 0;       ///< Of an inline tensor.
  std::shared_ptr<void const> owner;  ///< Shared ownership of the elements.

  /// Whether both are the same elements. Inline tensors are compared by value; views never are
  /// equal.
  bool same(LeafMemory const& other) const {
    if (dtype != other.dtype || spec != other.spec || earlier != other.earlier) return false;
    if (extents != other.extents) return false;  // two tensors may share a buffer
    if (is_view || other.is_view) return false;
    return inline_bytes == 0 ? data == other.data
                             : std::memcmp(data, other.data, inline_bytes) == 0;
  }
};

template <Leaf E>
LeafMemory memory_of_leaf(E const& leaf) {
  LeafMemory memory;
  memory.dtype = dtype_name<typename E::value_type>;
  memory.spec = std::string(spec_of<E>.view());
  memory.extents = leaf.sizes();
  memory.is_view = is_view<E>;
  if constexpr (is_earlier<E>) {
    memory.earlier = leaf.number;
  } else {
    auto const copy = std::make_shared<E const>(leaf);
    memory.data = stored_elements(*copy);
    memory.owner = copy;
  }
  if constexpr (TensorType<E>) {
    if constexpr (E::holds_elements)
      memory.inline_bytes = sizeof(typename E::value_type) * static_cast<std::size_t>(leaf.size());
  }
  return memory;
}

}  // namespace tenon::internal

namespace tenon::internal::ir {

/// The dtype and the spec of a node in a plan: `float32 "batch digit=10"`.
std::string type_text(Node e);

/// How the memory of a type of leaf is found. The argument is the leaf's address.
struct LeafAccess {
  LeafMemory (*memory)(void const* leaf);
  void const* (*elements)(void const* leaf);
  Sizes (*strides)(void const* leaf) = nullptr;               ///< Of a view.
  SharedBuffer const& (*buffer)(void const* leaf) = nullptr;  ///< Of a tensor on a device.
};

template <Leaf E>
struct LeafAccessOf {
  static E const& at(void const* leaf) { return *static_cast<E const*>(leaf); }
  static LeafMemory memory(void const* leaf) { return memory_of_leaf(at(leaf)); }
  static void const* elements(void const* leaf) {
    if constexpr (is_earlier<E>) return nullptr;
    else return stored_elements(at(leaf));
  }
  static Sizes strides(void const* leaf) { return at(leaf).strides(); }
  static SharedBuffer const& buffer(void const* leaf) { return at(leaf).storage().buffer; }

  static constexpr LeafAccess value = [] {
    LeafAccess access{&memory, &elements};
    if constexpr (is_view<E>) access.strides = &strides;
    if constexpr (TensorType<E> && !E::device::is_host) access.buffer = &buffer;
    return access;
  }();
};

/// The columns of a plan: specs, shapes and the memory of leaves (see `ir/describe.hpp`).
struct PlanColumns : NoColumns {
  static constexpr bool with_specs = true;

  template <class E>
  static constexpr void node(NodeType& type) {
    if constexpr (Leaf<E>) type.access = &LeafAccessOf<E>::value;
  }
};

}  // namespace tenon::internal::ir

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::ir {

TENON_RUNTIME std::string type_text(Node e) {
  return std::string(e->dtype).append(" \"").append(e->spec) + "\"";
}

}  // namespace tenon::internal::ir

#endif
