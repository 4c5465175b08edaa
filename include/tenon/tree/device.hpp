#pragma once

#include <type_traits>

#include <tenon/tree/node.hpp>

namespace tenon::internal::tree {

template <class T>
consteval auto find_device();

template <class Parts>
struct DeviceAmong : std::type_identity<void> {};
template <template <class...> class List, class First, class... Rest>
struct DeviceAmong<List<First&, Rest&...>> {
  using Found = typename decltype(find_device<std::remove_const_t<First>>())::type;
  using type = typename std::conditional_t<std::is_void_v<Found>, DeviceAmong<List<Rest&...>>,
                                           std::type_identity<Found>>::type;
};

/// The device of the first tensor that a traversal of all stored leaves would visit; `void`: none.
template <class T>
consteval auto find_device() {
  if constexpr (requires { typename T::device; }) {
    return std::type_identity<typename T::device>();
  } else if constexpr (!reaches<Stored, T>() || Stored::visits<T>) {
    return std::type_identity<void>();
  } else if constexpr (is_frozen<T>) {
    return find_device<decltype(T::value)>();
  } else if constexpr (is_array<T> || is_vector<T> || is_optional<T>) {
    return find_device<std::remove_const_t<typename T::value_type>>();
  } else {
    return DeviceAmong<Parts<T>>();
  }
}

/// The device of a tree: that of its first tensor, `Cpu` if it has none.
template <class Tree>
using DeviceOf = std::conditional_t<std::is_void_v<typename decltype(find_device<Tree>())::type>,
                                    Cpu, typename decltype(find_device<Tree>())::type>;

}  // namespace tenon::internal::tree

namespace tenon::tree {

using internal::tree::DeviceOf;

}  // namespace tenon::tree
