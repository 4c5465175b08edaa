#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/dtype.hpp>
#include <tenon/tensor/number_text.hpp>

/// The text of the elements of one tensor, of any dtype, in columns.
namespace tenon::internal {

/// The text of floating numbers in columns.
template <std::floating_point T>
class FloatColumns {
 public:
  /// Scans the numbers to print; `plus` writes the sign of positive ones.
  explicit FloatColumns(std::span<T const> numbers, bool plus = false) : plus_(plus) {
    scientific_ = wants_exponent(numbers);
    for (T x : numbers) {
      if (!std::isfinite(x)) continue;
      NumberText const text = text_of(x);
      left_ = (std::max)(left_, text.whole.size());
      fraction_ = (std::max)(fraction_, text.fraction.size());
      exponent_ = (std::max)(exponent_, text.exponent.size());
    }
    for (T x : numbers) {
      if (std::isfinite(x)) continue;
      std::size_t const room = after() + 1, size = std::isnan(x) ? 3 : not_finite_text(x).size();
      left_ = (std::max)(left_, size > room ? size - room : 0);
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
  /// Whether numbers are very large, very small, or their ratio is large.
  static bool wants_exponent(std::span<T const> numbers) {
    T largest = 0, smallest = 0;
    for (T x : numbers) {
      if (!std::isfinite(x) || x == T(0)) continue;
      T const size = std::abs(x);
      largest = (std::max)(largest, size);
      smallest = smallest == T(0) ? size : (std::min)(smallest, size);
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

template <class T>
struct PrintColumns;

/// Masks.
template <BoolType T>
struct PrintColumns<T> {
  explicit PrintColumns(std::vector<bool> const&) {}
  std::string operator()(bool x) const { return x ? " True" : "False"; }
  static std::string alone(bool x) { return x ? "True" : "False"; }
};

template <IntegerType T>
struct PrintColumns<T> {
  std::size_t width = 0;

  explicit PrintColumns(std::vector<T> const& numbers) {
    for (T x : numbers) width = (std::max)(width, std::to_string(x).size());
  }
  std::string operator()(T x) const { return FloatColumns<float>::aligned(alone(x), width); }
  static std::string alone(T x) { return std::to_string(x); }
};

template <std::floating_point T>
struct PrintColumns<T> : FloatColumns<T> {
  explicit PrintColumns(std::vector<T> const& numbers)
      : FloatColumns<T>(std::span<T const>(numbers)) {}
  static std::string alone(T x) { return lone_number(x); }
};

/// The 16-bit and 8-bit types: printed as the shortest decimal that rounds to the number.
template <NarrowType T>
struct PrintColumns<T> : FloatColumns<float> {
  explicit PrintColumns(std::vector<T> const& numbers) : FloatColumns<float>(readable(numbers)) {}
  std::string operator()(T x) const { return FloatColumns<float>::operator()(readable(x)); }
  static std::string alone(T x) { return lone_number(readable(x)); }

  static float readable(T x) {
    float const exact = static_cast<float>(x);
    if (!std::isfinite(exact) || exact == 0) return exact;
    auto const wide = static_cast<double>(exact);
    auto const first_digit = static_cast<int>(std::floor(std::log10(std::abs(wide))));
    for (int digits = 0; digits < 8; ++digits) {
      double const scale = std::pow(10.0, digits - first_digit);
      auto const candidate = static_cast<float>(std::rint(wide * scale) / scale);
      if (static_cast<float>(static_cast<T>(candidate)) == exact) return candidate;
    }
    return exact;
  }

 private:
  static std::vector<float> readable(std::vector<T> const& numbers) {
    std::vector<float> result;
    for (T x : numbers) result.push_back(readable(x));
    return result;
  }
};

template <ComplexType T>
struct PrintColumns<T> {
  using Part = typename T::value_type;
  FloatColumns<Part> real, imaginary;

  explicit PrintColumns(std::vector<T> const& numbers)
      : real(parts(numbers, false)), imaginary(parts(numbers, true), true) {}

  std::string operator()(T x) const {
    std::string text = imaginary(x.imag());
    text.insert(text.find_last_not_of(' ') + 1, "j");
    return real(x.real()) + text;
  }
  static std::string alone(T x) {
    std::string const imaginary = lone_number(x.imag(), true);
    if (x.real() == 0 && !std::signbit(x.real())) return imaginary + "j";
    bool const signs = imaginary.starts_with("-");
    return "(" + lone_number(x.real(), true) + (signs ? "" : "+") + imaginary + "j)";
  }

 private:
  static std::vector<Part> parts(std::vector<T> const& numbers, bool imaginary) {
    std::vector<Part> result;
    for (T x : numbers) result.push_back(imaginary ? x.imag() : x.real());
    return result;
  }
};

}  // namespace tenon::internal
