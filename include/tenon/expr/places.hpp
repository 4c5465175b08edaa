#pragma once

#include <cstddef>
#include <type_traits>

#include <tenon/expr/memo.hpp>
#include <tenon/expr/node.hpp>

/// Where the parts of a node and of a tensor lie in it, in bytes: what is done to all recipes alike
/// needs no function for every type of recipe then.
namespace tenon {

// (g++ and clang know the place of a member in any class without virtual bases, and g++ warns.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

/// Does a node of this type have room for its value?
template <class E>
inline constexpr bool has_memo = false;
template <class E>
  requires requires(E const& e) { e.memo_; }
inline constexpr bool has_memo<E> = std::is_same_v<decltype(E::memo_), Remembered>;

/// The offset of `memo_`, in bytes.
template <class E>
  requires has_memo<E>
inline constexpr std::size_t memo_place = __builtin_offsetof(E, memo_);

/// The offset of the sizes of the run-time axes of a map or a move, in bytes.
template <class E>
inline constexpr std::size_t run_time_place = __builtin_offsetof(E, run_time_);

/// The offsets of what a node knows at run time beside its operands, in bytes: the number of a
/// constant; where a move begins; the sizes and the steps of a slice in steps.
template <class E>
inline constexpr std::size_t number_place = __builtin_offsetof(E, value);
template <class E>
inline constexpr std::size_t start_place = __builtin_offsetof(E, start);
template <class E>
inline constexpr std::size_t extents_place = __builtin_offsetof(E, extents);
template <class E>
inline constexpr std::size_t steps_place = __builtin_offsetof(E, steps);

namespace internal {

struct TensorPlaces {
  template <TensorType E>
  static constexpr std::size_t mark = __builtin_offsetof(E, mark_);
  template <TensorType E>
  static constexpr std::size_t storage = __builtin_offsetof(E, storage_);
};

}  // namespace internal

#pragma GCC diagnostic pop

}  // namespace tenon
