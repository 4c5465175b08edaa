#pragma once

// Values and plain structs as JSON.

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::internal::training {

/// A number as JSON, of the fewest digits that give it back. JSON has no numbers for NaN and the
/// infinities: they are the strings "nan", "inf" and "-inf", which `float` of Python and
/// `pandas.read_json` take for numbers.
std::string json_number(float value);
std::string json_number(double value);
std::string json_number(long double value);

/// A text in quotes. JSON is UTF-8: a byte that is not becomes U+FFFD.
std::string json_string(std::string_view text);

template <class T>
inline constexpr bool is_optional = requires(T const& value) {
  value.has_value();
  *value;
};

template <class T>
std::string to_json(T const& value);

/// `"name": value, ` for one field of a struct; nothing for an absent optional.
template <std::size_t index, class T>
std::string json_member(T const& object) {
  auto const& part = tree::part_at<index>(tree::fields(object));
  if constexpr (is_optional<std::remove_cvref_t<decltype(part)>>) {
    if (!part.has_value()) return {};
  }
  std::string text = "\"";
  return text.append(tree::field_name<T, index>.text).append("\": ") + to_json(part) + ", ";
}

/// The members of a struct: `"epoch": 1, "loss": 0.5`.
template <class T>
std::string json_members(T const& object) {
  std::string text;
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    ((text += json_member<index>(object)), ...);
  }(std::make_index_sequence<tree::field_count<T>>());
  if (!text.empty()) text.resize(text.size() - 2);
  return text;
}

/// A number, `bool`, text, optional, or a plain struct of these.
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
  } else if constexpr (is_optional<T>) {
    return value.has_value() ? to_json(*value) : "null";
  } else {
    static_assert(std::is_aggregate_v<T> && !std::is_array_v<T>,
                  "tenon::RunManager: expected metrics of numbers, bools, texts, optionals of "
                  "these, and plain structs");
    if constexpr (std::is_aggregate_v<T> && !std::is_array_v<T>) {
      return "{" + json_members(value) + "}";
    } else {
      return {};
    }
  }
}

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <array>
#include <charconv>
#include <cmath>

#include <tenon/io/json.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal::training {

template <class T>
std::string json_digits(T value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

TENON_RUNTIME std::string json_number(float value) { return json_digits(value); }
TENON_RUNTIME std::string json_number(double value) { return json_digits(value); }
TENON_RUNTIME std::string json_number(long double value) { return json_digits(value); }

TENON_RUNTIME std::string json_string(std::string_view text) {
  std::string valid;
  for (;;) {
    std::size_t const end = utf8_end(text);
    valid.append(text.substr(0, end));
    if (end == text.size()) return json::quoted(valid);
    valid.append("\xef\xbf\xbd");
    text.remove_prefix(end + 1);
  }
}

}  // namespace tenon::internal::training

#endif
