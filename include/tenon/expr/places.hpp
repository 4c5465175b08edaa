#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/expr/memo.hpp>
#include <tenon/expr/node.hpp>

/// Where operands lie in a node, and what a tensor consists of lies in a tensor, in bytes: what is
/// done to all recipes alike needs no function for every type of recipe then.
namespace tenon {

// (g++ and clang know the place of a member in any class without virtual bases, and g++ warns.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

/// Where the operands of a node lie in it, in order.
template <class E>
inline constexpr auto operand_places = [] {
  std::array<std::uint32_t, 3> places{};
  if constexpr (requires(E const& e) { e.operand; }) places = {__builtin_offsetof(E, operand)};
  if constexpr (requires(E const& e) { e.table; })
    places = {__builtin_offsetof(E, table), __builtin_offsetof(E, ids)};
  if constexpr (requires(E const& e) { e.a; }) places[0] = __builtin_offsetof(E, a);
  if constexpr (requires(E const& e) { e.b; }) places[1] = __builtin_offsetof(E, b);
  if constexpr (requires(E const& e) { e.c; }) places[2] = __builtin_offsetof(E, c);
  return places;
}();

/// Does a node of this type have room for its value?
template <class E>
inline constexpr bool has_memo = false;
template <class E>
  requires requires(E const& e) { e.memo_; }
inline constexpr bool has_memo<E> = std::is_same_v<decltype(E::memo_), Remembered>;

/// Where that lies in the node.
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
