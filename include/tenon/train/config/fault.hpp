#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/shape.hpp>
#include <tenon/train/config/enumerators.hpp>
#include <tenon/tree/names.hpp>

/// Checks that a struct is a configuration: a field of another type is rejected, with its path.
namespace tenon::compile_error {

/// The path of the field, its type, and the reason why files cannot set it.
template <Spec Path, class Type, Spec Reason>
struct field_is_no_configuration;

}  // namespace tenon::compile_error

namespace tenon::internal::training {

template <class T>
inline constexpr bool is_std_vector = false;
template <class T>
inline constexpr bool is_std_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t size>
inline constexpr bool is_std_array<std::array<T, size>> = true;
template <class T>
inline constexpr bool is_std_optional = false;
template <class T>
inline constexpr bool is_std_optional<std::optional<T>> = true;

template <class T>
concept ListType = is_std_vector<T> || is_std_array<T>;

template <class T, class... Other>
concept AnyOf = (std::same_as<T, Other> || ...);

template <class T>
concept CharacterType = AnyOf<T, char, wchar_t, char8_t, char16_t, char32_t>;

template <class T>
concept IntegralType = std::is_integral_v<T> && !CharacterType<T> && !std::same_as<T, bool>;

template <class T>
concept ScalarType = IntegralType<T> || AnyOf<T, bool, float, double, std::string> ||
                     std::same_as<T, std::filesystem::path>;

/// The reason why a type that is neither a scalar nor a list is no plain struct; empty if it is
/// one. (clang prints 34 characters of a text: reasons are no longer.)
template <class T>
consteval std::string_view fault_of_struct() {
  if constexpr (std::is_pointer_v<T>) return "is a pointer";
  else if constexpr (std::is_array_v<T>) return "is a C array: use std::array";
  else if constexpr (!std::is_class_v<T>) return "has no form in a file";
  else if constexpr (!std::is_aggregate_v<T>) return "has a constructor or private data";
  else if constexpr (!tree::takes<T>(tree::FieldCount<0>())) return "has no default";
  else if constexpr (tree::has_base_class<T>) return "has a base class: make it a field";
  else if constexpr (tree::has_too_many_fields<T>) return "more than 32: see tree/wide.hpp";
  else return {};
}

template <class T>
consteval std::string_view fault_of_type() {
  if constexpr (std::is_const_v<T>) return "is const";
  else if constexpr (CharacterType<T>) return "is a character: use std::string";
  else if constexpr (std::same_as<T, std::string_view>) return "is a view: use std::string";
  else if constexpr (std::same_as<T, long double>) return "has no form in a file: use double";
  else if constexpr (std::is_enum_v<T> && !FixedEnumeration<T>) return "enum: use enum class";
  else if constexpr (std::is_enum_v<T>)
    return has_enumerators<T>() ? "" : "no enumerator from -16 to 111";
  else return fault_of_struct<T>();
}

/// A field that no file can set.
template <Spec Path, class T, Spec Reason>
struct FoundFault {
  using type = error::field_is_no_configuration<Path, T, Reason>;
};
struct NoFault {
  using type = void;
};

template <Spec Path, Spec Name>
consteval auto path_below() {
  if constexpr (Path.view().empty()) {
    return Name;
  } else {
    constexpr std::size_t size = Path.view().size() + 1 + Name.view().size();
    Spec<size + 1> result;
    for (std::size_t i = 0; i < Path.view().size(); ++i) result.text[i] = Path.text[i];
    result.text[Path.view().size()] = '.';
    for (std::size_t i = 0; i < Name.view().size(); ++i)
      result.text[Path.view().size() + 1 + i] = Name.text[i];
    return result;
  }
}

template <class T, Spec Path>
consteval auto fault_here() {
  constexpr std::string_view reason = fault_of_type<T>();
  return FoundFault<Path, T, Spec<reason.size() + 1>(reason)>();
}

template <class T, Spec Path, class... Outer>
struct FindFault;

template <class T, std::size_t i, Spec Path, class... Outer>
consteval auto fault_in_fields() {
  using Parts = decltype(tree::fields(std::declval<T&>()));
  if constexpr (i == tree::part_count<Parts>) {
    return NoFault();
  } else {
    using Part = tree::PartAt<i, Parts>;
    using Found =
        typename FindFault<Part, path_below<Path, tree::field_name<T, i>>(), T, Outer...>::found;
    if constexpr (!std::same_as<Found, NoFault>) return Found();
    else return fault_in_fields<T, i + 1, Path, Outer...>();
  }
}

template <class T, Spec Path, class... Outer>
consteval auto find_fault() {
  if constexpr (ScalarType<T>) return NoFault();
  else if constexpr (AnyOf<T, Outer...>) return FoundFault<Path, T, "contains itself">();
  else if constexpr (is_std_optional<T>) {
    using Element = typename T::value_type;
    if constexpr (ListType<Element> || is_std_optional<Element>)
      return FoundFault<Path, T, "optional list: use an empty one">();
    else return typename FindFault<Element, Path, T, Outer...>::found();
  } else if constexpr (ListType<T>)
    return typename FindFault<typename T::value_type, Path, T, Outer...>::found();
  else if constexpr (!fault_of_type<T>().empty()) return fault_here<T, Path>();
  else if constexpr (std::is_enum_v<T>) return NoFault();
  else return fault_in_fields<T, 0, Path, Outer...>();
}

template <class T, Spec Path, class... Outer>
struct FindFault {
  using found = decltype(find_fault<T, Path, Outer...>());
};

/// An error type that names the first field of a struct that is no part of a configuration, or
/// `void`.
template <class T>
using ConfigFault = typename FindFault<T, "">::found::type;

/// A plain struct whose fields files can set.
template <class T>
concept IsConfiguration = std::is_class_v<T> && std::is_void_v<ConfigFault<T>> && !ScalarType<T> &&
                          !ListType<T> && !is_std_optional<T>;

}  // namespace tenon::internal::training
