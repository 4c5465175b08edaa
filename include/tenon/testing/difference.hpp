#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/testing/result.hpp>

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

/// Elements compared within a tolerance.
namespace tenon::internal::testing {

/// The allowed difference: `absolute + relative * |expected|`. What is not given is zero. NaN
/// differs from every number, and from NaN unless `equal_nan`.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  bool equal_nan = false;
};

/// PyTorch's defaults for a dtype, `torch.testing.assert_close`; integers and masks are exact.
template <class T>
constexpr Tolerance default_tolerance() {
  if constexpr (std::is_same_v<T, float16>) return {1e-3, 1e-5};
  else if constexpr (std::is_same_v<T, bfloat16>) return {1.6e-2, 1e-5};
  else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>)
    return {1.3e-6, 1e-5};
  else if constexpr (std::is_integral_v<T>) return {};
  else return {1e-7, 1e-7};
}

/// The default for two dtypes: that of the coarser one.
template <class T, class U>
constexpr Tolerance default_tolerance() {
  Tolerance const a = default_tolerance<T>(), b = default_tolerance<U>();
  return a.relative > b.relative ? a : b;
}

/// The difference of two elements: zero for equal infinities, infinite for one NaN.
template <class A, class B>
long double difference_of(A got, B expected, bool equal_nan) {
  if (is_nan(got) || is_nan(expected))
    return equal_nan && is_nan(got) && is_nan(expected) ? 0 : INFINITY;
  if (got == expected) return 0;
  return std::abs(got - expected);
}

/// A difference of zero of integers that differ by less than the precision of `long double`: one.
template <class T, class U>
long double of_integers(long double difference, T got, U expected) {
  constexpr bool are_integers = std::is_integral_v<T> && std::is_integral_v<U> &&
                                !std::is_same_v<T, bool> && !std::is_same_v<U, bool>;
  if constexpr (are_integers)
    return std::cmp_equal(got, expected) ? 0 : (std::max)(difference, 1.0L);
  else return difference;
}

/// Whether a difference is allowed. Nothing but infinity is close to infinity.
template <class B>
bool is_allowed(long double difference, B expected, Tolerance const& tolerance) {
  if (difference == 0) return true;
  return is_finite(expected) && std::isfinite(difference) &&
         difference <= static_cast<long double>(tolerance.absolute) +
                           static_cast<long double>(tolerance.relative) * std::abs(expected);
}

/// Two arrays of elements, of which the second may be one number.
template <class T, class U>
struct Compared {
  T const* got;
  U const* expected;
  std::int64_t count;
  bool is_number = false;

  U expected_at(std::int64_t place) const { return expected[is_number ? 0 : place]; }
};

/// The elements that differ too much: their number, and the one of the largest difference.
struct Difference {
  std::int64_t wrong = 0;
  std::int64_t place = -1;
  long double largest = 0;
};

template <class T, class U>
Difference difference(Compared<T, U> const& all, Tolerance const& tolerance) {
  Difference found;
  for (std::int64_t i = 0; i < all.count; ++i) {
    auto const got = wide(all.got[i]);
    auto const expected = wide(all.expected_at(i));
    long double const apart = of_integers(difference_of(got, expected, tolerance.equal_nan),
                                          all.got[i], all.expected_at(i));
    if (is_allowed(apart, expected, tolerance)) continue;
    if (++found.wrong == 1 || apart > found.largest) found.place = i, found.largest = apart;
  }
  return found;
}

/// "allowed 1e-05 + 1e-05 |expected|"
inline std::string allowed_text(Tolerance const& tolerance) {
  return "allowed " + rounded_text(tolerance.absolute) + " + " + rounded_text(tolerance.relative) +
         " |expected|";
}

/// "difference 0.25, relative 0.2"
template <class B>
std::string difference_text(long double difference, B expected) {
  if (!std::isfinite(difference)) return "not close";
  std::string const text = "difference " + rounded_text(difference);
  long double const size = std::abs(expected);
  return size > 0 ? text + ", relative " + rounded_text(difference / size) : text;
}

/// `'w1', row=3 column=1: expected 1.25, got 1.5 (difference 0.25, relative 0.2; allowed 1e-05 +
/// 1e-05 |expected|; 3 of 12 elements differ)`; without the place, which the caller has.
template <class T, class U>
std::string text_of(Difference const& found, Compared<T, U> const& all,
                    Tolerance const& tolerance) {
  U const expected = all.expected_at(found.place);
  return "expected " + element_text(expected) + ", got " + element_text(all.got[found.place]) +
         " (" + difference_text(found.largest, wide(expected)) + "; " + allowed_text(tolerance) +
         count_text(found.wrong, all.count, "differ") + ")";
}

}  // namespace tenon::internal::testing
