#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include <tenon/core/dtype.hpp>

/// The text of numbers, as NumPy prints them: the fewest digits that tell a number from its
/// neighbours, at most eight after the point, and the numbers of one array aligned.
namespace tenon {

/// The most digits after the point, NumPy's default.
inline constexpr int print_precision = 8;

/// A number's text cut at the point and at the exponent.
struct NumberText {
  std::string whole;     ///< With the sign.
  std::string fraction;  ///< Without zeros at its end.
  std::string exponent;  ///< Its sign and digits; "" in the plain form.
};

NumberText cut(std::string_view text);

/// The shortest text of a finite number in one form, or rounded to `print_precision` digits.
template <std::floating_point T>
NumberText number_text(T x, std::chars_format form, int precision = print_precision) {
  char buffer[512];  // the longest double in full has 309 digits
  auto const end = std::to_chars(buffer, buffer + sizeof(buffer), x, form).ptr;
  NumberText shortest = cut({buffer, end});
  if (static_cast<int>(shortest.fraction.size()) <= precision) return shortest;
  auto const rounded = std::to_chars(buffer, buffer + sizeof(buffer), x, form, precision).ptr;
  return cut({buffer, rounded});
}

std::string not_finite(double x);

/// A number that stands alone: 1.5, 1.0, 1e+20; `trimmed`: 1 instead of 1.0.
template <std::floating_point T>
std::string lone_number(T x, bool trimmed = false) {
  if (!std::isfinite(x)) return not_finite(static_cast<double>(x));
  bool const plain = x == T(0) || (std::abs(x) >= T(1e-4) && std::abs(x) < T(1e16));
  auto const form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  NumberText const text = number_text(x, form, 1000);
  std::string result = text.whole;
  if (!text.fraction.empty()) result += "." + text.fraction;
  else if (plain && !trimmed) result += ".0";
  return plain ? result : result + "e" + text.exponent;
}

/// The text of floating numbers in columns.
template <std::floating_point T>
class FloatColumns {
 public:
  /// Looks at the numbers that will be printed; `plus` writes the sign of positive ones.
  explicit FloatColumns(std::span<T const> numbers, bool plus = false) : plus_(plus) {
    scientific_ = wants_exponent(numbers);
    for (T x : numbers) {
      if (!std::isfinite(x)) continue;
      NumberText const text = text_of(x);
      left_ = std::max(left_, text.whole.size());
      fraction_ = std::max(fraction_, text.fraction.size());
      exponent_ = std::max(exponent_, text.exponent.size());
    }
    for (T x : numbers) {
      if (std::isfinite(x)) continue;
      std::size_t const room = after() + 1, size = std::isnan(x) ? 3 : not_finite_text(x).size();
      left_ = std::max(left_, size > room ? size - room : 0);
    }
  }

  std::string operator()(T x) const {
    if (!std::isfinite(x)) return aligned(not_finite_text(x), left_ + 1 + after());
    NumberText const text = text_of(x);
    std::string result = aligned(text.whole, left_) + "." + text.fraction;
    char const fill = scientific_ ? '0' : ' ';
    result.append(fraction_ - text.fraction.size(), fill);
    if (!scientific_) return result;
    std::string const digits(exponent_ - text.exponent.size(), '0');
    return result + "e" + text.exponent[0] + digits + text.exponent.substr(1);
  }

  static std::string aligned(std::string const& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
  }

 private:
  /// Very large, very small, or both too far apart.
  static bool wants_exponent(std::span<T const> numbers) {
    T largest = 0, smallest = 0;
    for (T x : numbers) {
      if (!std::isfinite(x) || x == T(0)) continue;
      T const size = std::abs(x);
      largest = std::max(largest, size);
      smallest = smallest == T(0) ? size : std::min(smallest, size);
    }
    if (largest == T(0)) return false;
    return largest >= T(1e8) || smallest < T(1e-4) || largest / smallest > T(1000);
  }

  NumberText text_of(T x) const {
    using enum std::chars_format;
    NumberText text = number_text(x, scientific_ ? scientific : fixed);
    if (plus_ && !std::signbit(x)) text.whole.insert(0, "+");
    return text;
  }

  std::string not_finite_text(T x) const {
    std::string const text = not_finite(static_cast<double>(x));
    return plus_ && text[0] != '-' ? "+" + text : text;
  }

  /// Characters after the point.
  std::size_t after() const { return fraction_ + (scientific_ ? exponent_ + 1 : 0); }

  bool plus_;
  bool scientific_ = false;
  std::size_t left_ = 0, fraction_ = 0, exponent_ = 0;
};

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/number_text.ipp>
#endif
