#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/expr/places.hpp>
#include <tenon/ir/earlier.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tensor/view.hpp>

/// The leaves of an expression as data.
namespace tenon::internal {

/// An input of a kernel: a tensor, a view, or the result of an earlier kernel.
template <class E>
concept Leaf = TensorType<E> || is_view<E> || is_earlier<E>;

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

/// The type of a leaf: what its node description does not say. The argument is its address.
struct LeafType {
  Sizes (*sizes)(void const* leaf);
  std::size_t mark = 0;     ///< The offset of a tensor's mark; 0 for a leaf without one.
  std::size_t storage = 0;  ///< The offset of the shared buffer of a tensor on the host,
  bool has_buffer = false;  ///< which an inline tensor does not have.
  /// Copies its elements to the host, row-major; null for the value of an earlier kernel.
  void (*copy)(void const* leaf, std::byte* to) = nullptr;

  // Of a description with memory; else null.
  LeafMemory (*memory)(void const* leaf) = nullptr;
  void const* (*elements)(void const* leaf) = nullptr;
  Sizes (*strides)(void const* leaf) = nullptr;               ///< Of a view.
  SharedBuffer const& (*buffer)(void const* leaf) = nullptr;  ///< Of a tensor on a device.
};

template <Leaf E, bool with_memory>
struct LeafTypeOf {
  static E const& at(void const* leaf) { return *static_cast<E const*>(leaf); }
  static Sizes sizes(void const* leaf) { return at(leaf).sizes(); }
  [[gnu::cold]] static void copy(void const* leaf, std::byte* to) {
    E const& e = at(leaf);
    auto* const elements = reinterpret_cast<typename E::value_type*>(to);
    if constexpr (is_view<E>) copy_view(e, elements);
    else std::copy_n(&host_elements(e)[0], e.size(), elements);
  }
  static LeafMemory memory(void const* leaf) { return memory_of_leaf(at(leaf)); }
  static void const* elements(void const* leaf) {
    if constexpr (is_earlier<E>) return nullptr;
    else return stored_elements(at(leaf));
  }
  static Sizes strides(void const* leaf) { return at(leaf).strides(); }
  static SharedBuffer const& buffer(void const* leaf) { return at(leaf).storage().buffer; }

  static constexpr LeafType value = [] {
    LeafType type{&sizes};
    if constexpr (TensorType<E>) {
      type.mark = TensorPlaces::mark<E>;
      type.has_buffer = E::device::is_host && !E::holds_elements;
      if constexpr (E::device::is_host) type.storage = TensorPlaces::storage<E>;
    }
    if constexpr (with_memory) {
      type.memory = &memory, type.elements = &elements;
      if constexpr (is_view<E>) type.strides = &strides;
      if constexpr (TensorType<E> && !E::device::is_host) type.buffer = &buffer;
    } else if constexpr (!is_earlier<E>) {
      type.copy = &copy;
    }
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
