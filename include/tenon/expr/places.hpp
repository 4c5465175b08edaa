#pragma once

#include <cstddef>
#include <type_traits>

#include <tenon/expr/node.hpp>
#include <tenon/expr/stored_operand.hpp>

/// The byte offsets of the parts of nodes and tensors: generic operations on expressions are then
/// not templates of the expression's type.
namespace tenon::internal {

// (g++ and clang support offsetof for any class without virtual bases, though g++ warns.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

/// Whether a node of this type has a cache for its value.
template <class E>
inline constexpr bool has_cached_value = false;
template <class E>
  requires requires(E const& e) { e.cached_value_; }
inline constexpr bool has_cached_value<E> = std::is_same_v<decltype(E::cached_value_), CachedValue>;

/// The offset of `cached_value_`, in bytes.
template <class E>
  requires has_cached_value<E>
inline constexpr std::size_t cached_value_place = __builtin_offsetof(E, cached_value_);

/// The offset of the sizes of the run-time axes of a map or a view, in bytes.
template <class E>
inline constexpr std::size_t run_time_place = __builtin_offsetof(E, run_time_);

/// The offsets of a node's run-time state beside its operands, in bytes: the number of a constant;
/// the start of a view; the sizes and strides of a strided view.
template <class E>
inline constexpr std::size_t number_place = __builtin_offsetof(E, value);
template <class E>
inline constexpr std::size_t start_place = __builtin_offsetof(E, start);
template <class E>
inline constexpr std::size_t extents_place = __builtin_offsetof(E, extents);
template <class E>
inline constexpr std::size_t steps_place = __builtin_offsetof(E, steps);

struct TensorPlaces {
  template <TensorType E>
  static constexpr std::size_t mark = __builtin_offsetof(E, mark_);
  template <TensorType E>
  static constexpr std::size_t storage = __builtin_offsetof(E, storage_);
};

#pragma GCC diagnostic pop

}  // namespace tenon::internal
