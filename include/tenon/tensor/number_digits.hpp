#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The maximum number of digits after the decimal point, NumPy's default.
inline constexpr int print_precision = 8;

/// A number's text split at the decimal point and at the exponent.
struct NumberText {
  std::string whole;     ///< With the sign.
  std::string fraction;  ///< Without trailing zeros.
  std::string exponent;  ///< Its sign and digits; "" in fixed notation.
};

inline NumberText cut(std::string_view text) {
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
