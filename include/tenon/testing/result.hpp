#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tree/path.hpp>

/// Checks for the tests of a project: functions that return a `Result`, and macros of them for
/// doctest, Catch2 and GoogleTest.
namespace tenon::internal::testing {

/// The result of a check: whether it passed, and the text of a failure.
struct Result {
  bool passed = true;
  std::string text{};

  explicit operator bool() const { return passed; }
};

inline Result failed(std::string text) { return {false, std::move(text)}; }

/// Nine significant digits: "0.333333333", "(1, -2)".
inline std::string number_text(double number) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.9g", number);
  return digits;
}
template <class T>
std::string number_text(T const& number) {
  if constexpr (std::integral<T>) return std::to_string(number);
  else return number_text(static_cast<double>(number));
}
template <class T>
std::string number_text(std::complex<T> const& number) {
  return "(" + number_text(number.real()) + ", " + number_text(number.imag()) + ")";
}

/// The position of an element: "row=1 column=2"; "_=1" for an axis without a name.
inline std::string position_text(Shape const& shape, Sizes const& sizes, std::int64_t element) {
  std::string text;
  for (int i = shape.rank - 1; i >= 0; --i) {
    std::string const name(shape[i].is_named() ? shape[i].name.view() : "_");
    std::string const index = std::to_string(element % at(sizes, i));
    text = name + "=" + index + (text.empty() ? "" : " " + text);
    element /= at(sizes, i);
  }
  return text;
}

/// A leaf and an element: " at layers.0.weight, row=1 column=2"; empty for a scalar.
inline std::string place_text(tree::Path const& path, std::string const& position) {
  std::string const leaf = path.text();
  if (leaf.empty() && position.empty()) return "";
  return " at " + leaf + (leaf.empty() || position.empty() ? "" : ", ") + position;
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::Result;

}  // namespace tenon::testing
