#pragma once

#include <vector>

#include <tenon/tensor/number_text.hpp>

/// The text of the elements of one tensor, of any dtype, in columns.
namespace tenon {

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
    for (T x : numbers) width = std::max(width, std::to_string(x).size());
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

/// The 16-bit types: the shortest decimal that rounds to the number stands for it.
template <HalfType T>
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

}  // namespace tenon
