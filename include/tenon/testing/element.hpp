#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/core/dtype.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/core/shape.hpp>

/// Elements and their positions, for the messages of checks.
namespace tenon::internal::testing {

/// An element in the widest dtype, in which differences of 64-bit integers are exact.
template <class T>
constexpr auto wide(T x) {
  if constexpr (ComplexType<T>) return std::complex<long double>(x.real(), x.imag());
  else if constexpr (is_dtype<T>) return static_cast<long double>(static_cast<Computed<T>>(x));
  else return static_cast<long double>(x);
}

inline bool is_nan(long double x) { return std::isnan(x); }
inline bool is_nan(std::complex<long double> x) {
  return std::isnan(x.real()) || std::isnan(x.imag());
}

inline bool is_finite(long double x) { return std::isfinite(x); }
inline bool is_finite(std::complex<long double> x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

/// The shortest text that identifies a number of its dtype: 0.1, 1e-05, -inf, true, 1+2i.
template <class T>
std::string element_text(T x) {
  if constexpr (std::same_as<T, bool>) return x ? "true" : "false";
  else if constexpr (std::integral<T>) return std::to_string(x);
  else if constexpr (ComplexType<T>) {
    std::string const imaginary = element_text(x.imag());
    return element_text(x.real()) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "i";
  } else if constexpr (!std::floating_point<T>) return element_text(static_cast<Computed<T>>(x));
  else {
    std::array<char, 64> text{};
    auto const end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
    return {text.data(), end};
  }
}

/// A difference, which needs few digits: 0.25, 3.81e-06.
inline std::string rounded_text(long double x) {
  std::array<char, 64> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(x),
                                 std::chars_format::general, 3)
                       .ptr;
  return {text.data(), end};
}

/// The position of an element in row-major order: "row=3 column=1"; an axis without a name has its
/// number: "axis 0=3". Empty for a scalar.
inline std::string position_text(Shape const& shape, Sizes const& sizes, std::int64_t place) {
  std::string text;
  for (int axis = shape.rank; axis-- > 0;) {
    std::int64_t const size = sizes[static_cast<std::size_t>(axis)];
    text.insert(0, axis_label(shape, axis) + "=" + std::to_string(place % size) +
                       (text.empty() ? "" : " "));
    place /= size;
  }
  return text;
}

/// The beginning of a message: the path of the leaf and the position, of which either may be empty:
/// "'w1', row=3: ".
inline std::string place_text(std::string const& path, std::string const& position) {
  std::string text = path.empty() ? "" : "'" + path + "'";
  if (!path.empty() && !position.empty()) text += ", ";
  text += position;
  return text.empty() ? text : text + ": ";
}

/// ", 3 of 12 elements" with a verb, for more than one element.
inline std::string count_text(std::int64_t wrong, std::int64_t count, std::string_view verb) {
  if (count < 2) return {};
  return "; " + std::to_string(wrong) + " of " + std::to_string(count) + " elements " +
         std::string(verb);
}

}  // namespace tenon::internal::testing
