#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tenon/expr/places.hpp>
#include <tenon/ir/earlier.hpp>
#include <tenon/tensor/host_elements.hpp>
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
