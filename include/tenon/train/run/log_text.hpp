#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/train/run/step_metrics.hpp>

namespace tenon::internal::training {

inline std::string log_text(std::string_view text) { return std::string(text); }
template <std::same_as<bool> T>  // (a pointer would convert to bool)
std::string log_text(T value) {
  return value ? "true" : "false";
}
inline std::string log_text(char value) { return {value}; }
template <std::integral T>
  requires(!std::same_as<T, bool>)
std::string log_text(T value) {
  return std::to_string(value);
}
template <std::floating_point T>
std::string log_text(T value) {
  return short_number(static_cast<double>(value));
}

/// What a log can show: numbers, bools, characters, texts.
template <class T>
concept Loggable = requires(T const& value) { log_text(value); };

/// Moves the text up to the next `{}`, and the value in its place; a value without one is appended
/// after a space.
void append_value(std::string& all, std::string_view& rest, std::string const& value);

/// The text with each `{}` replaced by the next value.
template <Loggable... Values>
std::string with_values(std::string_view text, Values const&... values) {
  std::string all;
  (append_value(all, text, log_text(values)), ...);
  return all.append(text);
}

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::training {

TENON_RUNTIME void append_value(std::string& all, std::string_view& rest,
                                std::string const& value) {
  auto const at = rest.find("{}");
  bool const has_place = at != std::string_view::npos;
  all.append(rest.substr(0, at)).append(has_place ? "" : " ").append(value);
  rest.remove_prefix(has_place ? at + 2 : rest.size());
}

}  // namespace tenon::internal::training

#endif
