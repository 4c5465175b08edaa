#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <tenon/train/config/number.hpp>
#include <tenon/train/config/words.hpp>

/// Floating numbers whose text is a whole cell, without a locale.
namespace tenon::internal::csv {

/// The result of std::from_chars, which must use the whole text.
template <class T>
std::errc parse_whole(std::string_view text, T& value) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

inline bool is_decimal(std::string_view text) {
  return training::is_decimal(text.substr(text.starts_with('-') ? 1 : 0));
}

/// `nan`, `inf` or `infinity`, in any case, with or without `-`.
template <class T>
std::optional<T> parse_word(std::string_view text) {
  std::string word = training::lower_case(text);
  bool const is_negative = word.starts_with('-');
  if (is_negative) word.erase(0, 1);
  T const sign = is_negative ? T{-1} : T{1};
  if (word == "nan") return std::copysign(std::numeric_limits<T>::quiet_NaN(), sign);
  if (word == "inf" || word == "infinity") return sign * std::numeric_limits<T>::infinity();
  return {};
}

/// std::from_chars refuses numbers that are too small as those that are too large. (libc++ before
/// 20 has it for integers only.)
template <class T>
std::optional<T> parse_floating(std::string_view text) {
#if defined(__cpp_lib_to_chars)
  T value{};
  bool const has_payload = text.ends_with(')');  // nan(1)
  if (!has_payload && parse_whole(text, value) == std::errc()) return value;
#endif
  return is_decimal(text) ? training::parse_decimal<T>(text) : parse_word<T>(text);
}

}  // namespace tenon::internal::csv
