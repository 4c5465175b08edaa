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
  else if constexpr (HalfType<T>) return lone_number(static_cast<float>(number));
  else return "(" + lone_number(number.real()) + ", " + lone_number(number.imag()) + ")";
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/number_text.ipp>
#endif
