#pragma once

// Values and plain structs as JSON.

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/io/json.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::internal::training {

/// A number as JSON, of as many digits as its type needs. JSON has no numbers for NaN and the
/// infinities: they are the strings "nan", "inf" and "-inf".
template <std::floating_point T>
std::string json_number(T value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", std::same_as<T, float> ? 9 : 17,
                static_cast<double>(value));
  return text.data();
}

/// Invalid UTF-8 and control characters of a text become `\x..`: JSON is UTF-8.
inline std::string json_string(std::string_view text) { return json::quoted(escaped(text)); }

template <class T>
std::string to_json(T const& value);

/// `"name": value` for one field of a struct.
template <std::size_t index, class T>
std::string json_member(T const& object) {
  auto const& part = std::get<index>(tree::fields(object));
  return "\"" + std::string(tree::field_name<T, index>.text) + "\": " + to_json(part);
}

/// The members of a struct: `"epoch": 1, "loss": 0.5`.
template <class T>
std::string json_members(T const& object) {
  std::string text;
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    ((text += (index > 0 ? ", " : "") + json_member<index>(object)), ...);
  }(std::make_index_sequence<tree::field_count<T>>());
  return text;
}

/// A number, `bool`, text, optional, or a plain struct of these. An absent optional is `null`.
template <class T>
std::string to_json(T const& value) {
  if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::floating_point<T>) {
    return json_number(value);
  } else if constexpr (std::integral<T>) {
    return std::to_string(value);
  } else if constexpr (std::convertible_to<T const&, std::string_view>) {
    return json_string(value);
  } else if constexpr (requires { value.has_value(); }) {
    return value ? to_json(*value) : "null";
  } else {
    static_assert(std::is_aggregate_v<T>,
                  "tenon::RunManager: metrics are numbers, bools, texts, optionals of these, and "
                  "plain structs");
    return "{" + json_members(value) + "}";
  }
}

}  // namespace tenon::internal::training
