#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/tree/aggregate.hpp>
#include <tenon/tree/leaf.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::tree {

/// What a walk does with a type. `record`: its parts are known to the compiler (a plain aggregate,
/// a pair, a tuple); `passed`: nothing to visit in it.
enum class Node { leaf, frozen, record, array, vector, optional, passed };

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;

/// (Not a vector of bool: it has no elements to refer to.)
template <class T>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = !std::is_same_v<T, bool>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// References to the parts of a record, in order, as a tuple.
template <class T>
constexpr auto parts(T& record) {
  if constexpr (is_tuple<std::remove_const_t<T>>) {
    return std::apply([](auto&... part) { return std::tie(part...); }, record);
  } else {
    return fields(record);
  }
}

/// The name of a part of a record; empty for the parts of tuples, which are counted.
template <class T, std::size_t index>
constexpr std::string_view part_name() {
  if constexpr (is_tuple<T>) {
    return {};
  } else {
    return field_name<T, index>;
  }
}

template <class T>
using Parts = decltype(parts(std::declval<T&>()));

template <class Walk, class T>
consteval bool reaches();

template <class Walk, class Parts>
inline constexpr bool reaches_any = false;
template <class Walk, class... Part>
inline constexpr bool reaches_any<Walk, std::tuple<Part&...>> =
    (reaches<Walk, std::remove_const_t<Part>>() || ...);

/// Is there anything in a type that the walk visits? What it does not enter may be of any type.
template <class Walk, class T>
consteval bool reaches() {
  if constexpr (Walk::template visits<T>) {
    return true;
  } else if constexpr (is_leaf<T>::value) {
    return false;
  } else if constexpr (is_frozen<T>) {
    return Walk::opens_frozen && reaches<Walk, decltype(T::value)>();
  } else if constexpr (is_array<T> || is_vector<T> || is_optional<T>) {
    return reaches<Walk, std::remove_const_t<typename T::value_type>>();
  } else if constexpr (is_tuple<T> || (std::is_class_v<T> && std::is_aggregate_v<T>)) {
    return reaches_any<Walk, Parts<T>>;
  } else {
    return false;
  }
}

template <class Walk, class T>
inline constexpr Node node_of = Walk::template visits<T> ? Node::leaf
                                : !reaches<Walk, T>()    ? Node::passed
                                : is_frozen<T>           ? Node::frozen
                                : is_array<T>            ? Node::array
                                : is_vector<T>           ? Node::vector
                                : is_optional<T>         ? Node::optional
                                                         : Node::record;

}  // namespace tenon::tree
