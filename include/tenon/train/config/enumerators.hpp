#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tenon::internal::training {

/// The values of enumerators that have names in files: -16 to 111.
inline constexpr int least_enumerator = -16, enumerator_count = 128;

/// g++: `… [with auto ...value = {Color::red, (Color)1}; …]`, clang: `… [value = <Color::red, …>]`.
template <auto... value>
consteval std::string_view printed_enumerators() {
  return __PRETTY_FUNCTION__;
}

/// (An enumeration without a fixed underlying type has no other values than its enumerators need: a
/// cast of another one is undefined.)
template <class T>
concept FixedEnumeration = std::is_enum_v<T> && requires { T{0}; };

template <class T>
consteval bool is_enumerator_value(int value) {
  using Limits = std::numeric_limits<std::underlying_type_t<T>>;
  return (value >= 0 || std::is_signed_v<std::underlying_type_t<T>>)&&(
      value <= 0 ||
      static_cast<unsigned long long>(value) <= static_cast<unsigned long long>((Limits::max)()));
}

/// A value that the underlying type does not have is replaced by one that has been printed.
template <class T, int i>
inline constexpr T enumerator_at =
    static_cast<T>(is_enumerator_value<T>(least_enumerator + i) ? least_enumerator + i : 0);

template <class T, std::size_t... i>
consteval std::string_view print_enumerators(std::index_sequence<i...>) {
  return printed_enumerators<enumerator_at<T, static_cast<int>(i)>...>();
}

/// The last part of a qualified name; empty for a value without a name, `(Color)3`.
constexpr std::string_view enumerator_name(std::string_view printed) {
  std::size_t const cast = printed.rfind(')');
  if (cast != printed.npos && !printed.substr(cast + 1).starts_with("::")) return "";
  std::size_t const colons = printed.rfind("::");
  return colons == printed.npos ? printed : printed.substr(colons + 2);
}

/// The length of the first element of a list; commas in template arguments do not end it.
constexpr std::size_t length_of_first(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '<') ++depth;
    if (list[i] == '>') --depth;
    if (list[i] == ',' && depth == 0) return i;
  }
  return list.size();
}

struct EnumeratorNames {
  std::array<std::string_view, enumerator_count> name{};
};

/// The list of values in what the compiler prints.
constexpr std::string_view printed_list(std::string_view text) {
#if defined(__clang__)
  text.remove_prefix(text.find("[value = <") + 10);
  return text.substr(0, text.rfind(">]"));
#else
  text.remove_prefix(text.find("value = {") + 9);
  return text.substr(0, text.rfind("};"));  // "{anonymous}" is part of names
#endif
}

/// (Every element is written: g++ 12 does not compare others.)
template <class T>
consteval EnumeratorNames find_enumerators() {
  auto list = printed_list(print_enumerators<T>(std::make_index_sequence<enumerator_count>()));
  EnumeratorNames result;
  for (int i = 0; i < enumerator_count; ++i) {
    std::size_t const length = length_of_first(list);
    bool const is_value = is_enumerator_value<T>(least_enumerator + i);
    result.name[static_cast<std::size_t>(i)] =
        is_value ? enumerator_name(list.substr(0, length)) : std::string_view("");
    list.remove_prefix(length + 2 < list.size() ? length + 2 : list.size());
  }
  return result;
}

/// An enumeration by its names, without its type.
struct Enumerators {
  std::array<std::string_view, enumerator_count> const& name;

  static constexpr long long value(std::size_t i) {
    return least_enumerator + static_cast<long long>(i);
  }
};

template <class T>
inline constexpr EnumeratorNames enumerator_names = find_enumerators<T>();

/// Whether one of the values in the range has a name.
template <class T>
consteval bool has_enumerators() {
  for (std::string_view const name : enumerator_names<T>.name)
    if (!name.empty()) return true;
  return false;
}

}  // namespace tenon::internal::training
