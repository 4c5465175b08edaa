#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/tree/bound.hpp>
#include <tenon/tree/fault.hpp>
#include <tenon/tree/leaf.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::internal::tree {

/// The kind of a node in a traversal. `record`: its parts are known at compile time (a plain
/// aggregate, a pair, a tuple); `passed`: has nothing to visit.
enum class Node { leaf, frozen, record, array, vector, optional, passed };

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;

/// (Not std::vector<bool>: there are no references to its elements.)
template <class T>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = !std::is_same_v<T, bool>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// References to the parts of a record, in order.
template <class T>
constexpr auto parts(T& record) {
  if constexpr (is_tuple<std::remove_const_t<T>>) {
    return std::apply([](auto&... part) { return tie_fields(part...); }, record);
  } else {
    return fields(record);
  }
}

/// The name of a part of a record; empty for the parts of tuples, which are numbered.
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
template <class T>
using PartIndices = std::make_index_sequence<part_count<Parts<T>>>;

/// Containers of elements of one type.
template <class T>
inline constexpr bool is_sequence = is_array<T> || is_vector<T> || is_optional<T>;

/// Types that are not entered: leaves, and types without tensors.
template <class T>
inline constexpr bool passes = is_leaf<T>::value || is_constant<T>::value;

template <class Walk, class T>
consteval bool reaches();

template <class Walk, class Parts>
inline constexpr bool reaches_any = false;
template <class Walk, template <class...> class List, class... Part>
inline constexpr bool reaches_any<Walk, List<Part&...>> =
    (reaches<Walk, std::remove_const_t<Part>>() || ...);

/// Whether a type has anything that the traversal visits. False for a class that it cannot enter
/// (which `check_well_formed` rejects).
template <class Walk, class T>
consteval bool reaches() {
  if constexpr (Walk::template visits<T>) {
    return true;
  } else if constexpr (passes<T>) {
    return false;
  } else if constexpr (is_frozen<T>) {
    return Walk::opens_frozen && reaches<Walk, decltype(T::value)>();
  } else if constexpr (is_sequence<T>) {
    return reaches<Walk, std::remove_const_t<typename T::value_type>>();
  } else if constexpr (fault_of<T>().empty()) {
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

}  // namespace tenon::internal::tree
