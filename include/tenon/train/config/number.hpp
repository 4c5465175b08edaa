#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal::training {

/// An integer of 64 bits, signed or not: its sign and its magnitude.
struct Integer {
  bool is_negative = false;
  std::uint64_t magnitude = 0;

  std::string text() const { return (is_negative ? "-" : "") + std::to_string(magnitude); }
};

constexpr Integer integer_of(std::int64_t x) {
  auto const bits = static_cast<std::uint64_t>(x);
  return {x < 0, x < 0 ? 0 - bits : bits};
}

/// An integer in decimal, or after 0x, 0o or 0b; none if the text is no such integer, has leading
/// zeros (which are octal in some formats), or more than 64 bits.
std::optional<Integer> parse_integer(std::string_view text);

/// A number, rounded once; `inf`, `nan` and, as in YAML, `.inf`, `.nan` with signs. None if the
/// text is not a number, or too large for the type.
std::optional<float> parse_float(std::string_view text);
std::optional<double> parse_double(std::string_view text);

/// Whether a text is a finite decimal number, before it is rounded: `1`, `-1.5`, `.5`, `1.`,
/// `1e-3`.
bool is_finite_decimal(std::string_view text);

/// Whether a decimal number is zero before it is rounded: other than `1e-400`.
bool is_zero(std::string_view decimal);

/// The shortest text that gives a number back.
std::string shortest_digits(float x);
std::string shortest_digits(double x);

/// The same for a finite number, with a point or an exponent.
std::string floating_text(double x, bool is_single);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <locale>
#include <sstream>
#include <system_error>

namespace tenon::internal::training {

struct Sign {
  bool is_negative;
  std::string_view rest;
};

constexpr Sign split_sign(std::string_view text) {
  bool const has_sign = text.starts_with('-') || text.starts_with('+');
  return {text.starts_with('-'), text.substr(has_sign ? 1 : 0)};
}

TENON_RUNTIME std::optional<Integer> parse_integer(std::string_view text) {
  auto [is_negative, digits] = split_sign(text);
  int base = 10;
  if (digits.starts_with("0x")) base = 16;
  if (digits.starts_with("0o")) base = 8;
  if (digits.starts_with("0b")) base = 2;
  if (base != 10) digits.remove_prefix(2);
  else if (digits.size() > 1 && digits.starts_with('0')) return {};
  Integer result{is_negative, 0};
  auto const end = digits.data() + digits.size();
  auto const [at, error] = std::from_chars(digits.data(), end, result.magnitude, base);
  if (digits.empty() || at != end || error != std::errc()) return {};
  if (result.magnitude == 0) result.is_negative = false;
  return result;
}

/// The length of the decimal digits at the start of a text.
constexpr std::size_t digits_of(std::string_view text) {
  std::size_t const end = text.find_first_not_of("0123456789");
  return end == text.npos ? text.size() : end;
}

/// Whether the text is a decimal number without a sign: `1`, `1.5`, `.5`, `1.`, `1e-3`.
constexpr bool is_decimal(std::string_view text) {
  std::size_t const whole = digits_of(text);
  text.remove_prefix(whole);
  std::size_t fraction = 0;
  if (text.starts_with('.')) {
    fraction = digits_of(text.substr(1));
    text.remove_prefix(fraction + 1);
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  auto const exponent = split_sign(text.substr(1)).rest;
  return !exponent.empty() && digits_of(exponent) == exponent.size();
}

TENON_RUNTIME bool is_finite_decimal(std::string_view text) {
  return is_decimal(split_sign(text).rest);
}

TENON_RUNTIME bool is_zero(std::string_view decimal) {
  auto const digits = decimal.substr(0, decimal.find_first_of("eE"));
  return digits.find_first_of("123456789") == digits.npos;
}

/// A decimal number, rounded once; none if it is too large for the type. (libc++ before 20 has no
/// std::from_chars of floating numbers, and its streams call subnormal results failures.)
template <class T>
std::optional<T> parse_decimal(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  T value{};
  stream >> value;
  bool const is_too_large =
      std::isinf(value) || (stream.fail() && std::abs(value) == (std::numeric_limits<T>::max)());
  if (is_too_large) return {};
  return value;
}

template <class T>
std::optional<T> parse_floating_as(std::string_view text) {
  auto [is_negative, rest] = split_sign(text);
  std::optional<T> value;
  if (is_decimal(rest)) value = parse_decimal<T>(rest);
  if (rest.starts_with('.')) rest.remove_prefix(1);
  if (rest == "inf") value = std::numeric_limits<T>::infinity();
  if (rest == "nan") value = std::numeric_limits<T>::quiet_NaN();
  if (value && is_negative) value = -*value;
  return value;
}

TENON_RUNTIME std::optional<float> parse_float(std::string_view text) {
  return parse_floating_as<float>(text);
}
TENON_RUNTIME std::optional<double> parse_double(std::string_view text) {
  return parse_floating_as<double>(text);
}

template <class T>
std::string digits_by_chars(T x) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), x).ptr};
}

TENON_RUNTIME std::string shortest_digits(float x) { return digits_by_chars(x); }
TENON_RUNTIME std::string shortest_digits(double x) { return digits_by_chars(x); }

/// (A text of a float is read as a double first: that must be rounded to the same float.)
TENON_RUNTIME std::string floating_text(double x, bool is_single) {
  std::string text = shortest_digits(x);
  if (is_single) {
    std::string const single = shortest_digits(static_cast<float>(x));
    auto const back = parse_double(single);
    if (back && static_cast<float>(*back) == static_cast<float>(x)) text = single;
  }
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

}  // namespace tenon::internal::training

#endif
