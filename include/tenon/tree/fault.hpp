#pragma once

#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/tensor/expression.hpp>
#include <tenon/tree/aggregate.hpp>

namespace tenon::internal::tree {

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

/// `T*`, `std::unique_ptr`, `std::shared_ptr`.
template <class T>
concept PointerType = std::is_pointer_v<T> || requires(T const& pointer) {
  typename T::element_type;
  { pointer.get() } -> std::same_as<typename T::element_type*>;
};

template <class T>
concept VariantType = requires(T const& variant) {
  variant.valueless_by_exception();
  variant.index();
};

template <class T>
concept RangeType = requires(T& range) {
  range.begin();
  range.end();
};

/// The reason why a traversal cannot enter a standard container or a smart pointer; empty for any
/// other class.
template <class T>
consteval std::string_view fault_of_container() {
  if constexpr (PointerType<T>) return "is a pointer: use Constant<>";
  else if constexpr (VariantType<T>) return "is a variant: use Constant<>";
  else if constexpr (requires { typename T::mapped_type; }) return "is a map: use Constant<>";
  else if constexpr (requires { typename T::key_type; }) return "is a set: use Constant<>";
  else if constexpr (RangeType<T>) return "is a range: use std::vector";
  else return {};
}

/// The reason why the fields of a class are not accessible; empty where they are. (clang prints 34
/// characters of a text: reasons are no longer.)
template <class T>
consteval std::string_view fault_of_class() {
  if constexpr (std::is_polymorphic_v<T>) return "has a virtual function";
  else if constexpr (!std::is_aggregate_v<T>) return "has a constructor or private data";
  else if constexpr (has_base_class<T>) return "has a base class: make it a field";
  else if constexpr (!takes<T>(FieldCount<0>())) return "cannot be default-constructed";
  else if constexpr (field_count<T> > many_fields) return "over 64 fields: nest a struct";
  else if constexpr (has_too_many_fields<T>) return "more than 32: see tree/wide.hpp";
  else return {};
}

/// The reason why a traversal cannot enter a type that is neither a leaf, a known container nor a
/// constant; empty where it can.
template <class T>
consteval std::string_view fault_of() {
  if constexpr (is_tuple<T>) return {};
  else if constexpr (std::is_array_v<T>) return "is a C array: use std::array";
  else if constexpr (std::is_reference_v<T>) return "is a reference";
  else if constexpr (std::is_union_v<T>) return "is a union: use Constant<>";
  else if constexpr (Expression<T>) return "is an expression: use eval";
  else if constexpr (!fault_of_container<T>().empty()) return fault_of_container<T>();
  else return fault_of_class<T>();
}

}  // namespace tenon::internal::tree
