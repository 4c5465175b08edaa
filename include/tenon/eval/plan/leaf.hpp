#pragma once

#include <cstring>
#include <memory>
#include <string>

#include <tenon/eval/plan/plan.hpp>

namespace tenon::internal {

/// An input of a kernel: a tensor, a view, or the result of an earlier kernel.
template <class E>
concept Leaf = TensorType<E> || is_view<E> || is_earlier<E>;

/// Whether a leaf represents the contraction that its kernel computes itself.
template <Leaf E>
bool is_own_product(E const& leaf) {
  if constexpr (is_earlier<E>) return leaf.number == own_product;
  else return false;
}

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

/// The address identifies a type.
template <class E>
inline char type_mark = 0;  // not a constant: constants of equal value may be merged

}  // namespace tenon::internal
