#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/number_digits.hpp>
#include <tenon/tensor/number_text.hpp>

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
