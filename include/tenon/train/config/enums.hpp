#pragma once

// The names of enumerators, as the compiler prints them.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::internal::training {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wenum-constexpr-conversion"
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#endif

/// The values below this number may be those of an enumerator in a configuration.
inline constexpr std::size_t most_enumerators = 64;

template <auto value>
consteval std::string_view printed_enumerator() {
  return __PRETTY_FUNCTION__;
}

/// "adam" of `… [with auto value = Kind::adam; …]` (g++) and `… [value = Kind::adam]` (clang);
/// empty for `(Kind)7`, a value without an enumerator.
consteval std::string_view enumerator_in(std::string_view text) {
  text = text.substr(text.find("value = ") + 8);
  text = text.substr(0, text.find_first_of(";]"));
  if (text.find(')') != std::string_view::npos && text.find("::") == std::string_view::npos)
    return {};
  auto const name = text.substr(text.rfind(':') + 1);
  bool const is_name =
      !name.empty() && name.front() > '9' && name.find(')') == std::string_view::npos;
  return is_name ? name : std::string_view();
}

template <class T>
  requires std::is_enum_v<T>
std::vector<std::pair<std::string, T>> enumerator_names() {
  std::vector<std::pair<std::string, T>> names;
  auto const add = [&]<std::size_t... value>(std::index_sequence<value...>) {
    constexpr std::array<std::string_view, sizeof...(value)> texts{
        enumerator_in(printed_enumerator<static_cast<T>(value)>())...};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!texts[i].empty()) names.emplace_back(texts[i], static_cast<T>(i));
    }
  };
  add(std::make_index_sequence<most_enumerators>());
  return names;
}

/// "'adam', 'sgd'"
template <class Names>
std::string joined(Names const& names) {
  std::string text;
  for (auto const& [name, value] : names) {
    if (!text.empty()) text += ", ";
    text += "'" + name + "'";
  }
  return text;
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace tenon::internal::training
