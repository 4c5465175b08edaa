#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tenon::internal {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The text without the spaces at its end.
constexpr std::string_view without_spaces_behind(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The leading digits of a text.
constexpr std::string_view leading_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return text.substr(0, n);
}

/// The leading name of a text: letters, digits and `_`, no digit first.
constexpr std::string_view leading_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return {};
  std::size_t n = 1;
  while (n < text.size() && (is_letter(text[n]) || is_digit(text[n]))) ++n;
  return text.substr(0, n);
}

constexpr bool is_name(std::string_view text) {
  return !text.empty() && leading_name(text).size() == text.size();
}

/// The largest size: double and GPU index arithmetic are exact up to 2^53.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 53;

/// The value of the digits, or -1 if it exceeds the largest size.
constexpr std::int64_t number_of(std::string_view digits) {
  std::int64_t value = 0;
  for (char c : digits) {
    value = value * 10 + (c - '0');
    if (value > largest_size) return -1;
  }
  return value;
}

/// Removes and returns the first word of a text, words being separated by white space; "" at the
/// end.
constexpr std::string_view next_word(std::string_view& text) {
  while (!text.empty() && is_space(text[0])) text.remove_prefix(1);
  std::size_t n = 0;
  while (n < text.size() && !is_space(text[n])) ++n;
  std::string_view const word = text.substr(0, n);
  text.remove_prefix(n);
  return word;
}

}  // namespace tenon::internal
