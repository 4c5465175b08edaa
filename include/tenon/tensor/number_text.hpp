#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>

namespace tenon::internal {

/// The maximum number of digits after the decimal point, NumPy's default.
inline constexpr int print_precision = 8;

/// A number's text split at the decimal point and at the exponent.
struct NumberText {
  std::string whole;     ///< With the sign.
  std::string fraction;  ///< Without trailing zeros.
  std::string exponent;  ///< Its sign and digits; "" in fixed notation.
};

[[gnu::noinline]] inline NumberText cut(std::string_view text) {
  std::size_t const e = (std::min)(text.find('e'), text.size());
  std::size_t const point = (std::min)(text.find('.'), e);
  NumberText result{std::string(text.substr(0, point)), "", ""};
  if (point < e) result.fraction = text.substr(point + 1, e - point - 1);
  if (e < text.size()) result.exponent = text.substr(e + 1);
  while (result.fraction.ends_with('0')) result.fraction.pop_back();
  return result;
}

/// The shortest text of a finite number in one notation, or rounded to `print_precision` digits.
template <std::floating_point T>
NumberText number_text(T x, std::chars_format form, int precision = print_precision) {
  char buffer[512];  // the longest double in full has 309 digits
  auto const end = std::to_chars(buffer, buffer + sizeof(buffer), x, form).ptr;
  NumberText shortest = cut({buffer, end});
  if (static_cast<int>(shortest.fraction.size()) <= precision) return shortest;
  auto const rounded = std::to_chars(buffer, buffer + sizeof(buffer), x, form, precision).ptr;
  return cut({buffer, rounded});
}

inline std::string not_finite(double x) { return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf"; }

}  // namespace tenon::internal

/// The text of numbers as in NumPy: the fewest digits that identify a number, at most eight after
/// the decimal point, and the numbers of one array aligned.
namespace tenon::internal {

/// A single number: 1.5, 1.0, 1e+20; `trimmed`: 1 instead of 1.0.
template <std::floating_point T>
std::string lone_number(T x, bool trimmed = false);

/// A number of any dtype, with the digits that identify it.
template <class T>
std::string constant_text(T number) {
  if constexpr (std::floating_point<T>) return lone_number(number);
  else if constexpr (std::same_as<T, bool>) return number ? "true" : "false";
  else if constexpr (std::integral<T>) return std::to_string(number);
  else if constexpr (NarrowType<T>) return lone_number(static_cast<float>(number));
  else return "(" + lone_number(number.real()) + ", " + lone_number(number.imag()) + ")";
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

template <std::floating_point T>
[[gnu::noinline]] std::string lone_number(T x, bool trimmed) {
  if (!std::isfinite(x)) return not_finite(static_cast<double>(x));
  bool const plain = x == T(0) || (std::abs(x) >= T(1e-4) && std::abs(x) < T(1e16));
  auto const form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  NumberText const text = number_text(x, form, 1000);
  std::string result = text.whole;
  if (!text.fraction.empty()) result += "." + text.fraction;
  else if (plain && !trimmed) result += ".0";
  return plain ? result : result + "e" + text.exponent;
}

#if defined(TENON_IMPLEMENTATION)
template std::string lone_number(float, bool);
template std::string lone_number(double, bool);
#endif

}  // namespace tenon::internal

#endif
