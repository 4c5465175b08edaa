#pragma once

#include <concepts>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>

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

#include <tenon/tensor/number_digits.hpp>

namespace tenon::internal {

template <std::floating_point T>
std::string lone_number(T x, bool trimmed) {
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
