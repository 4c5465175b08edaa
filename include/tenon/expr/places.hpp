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
