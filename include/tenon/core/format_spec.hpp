#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include <tenon/core/language/text.hpp>
#include <tenon/core/language/writer.hpp>
#include <tenon/core/shape.hpp>

/// Specs from integers and names that are known to the compiler.
namespace tenon::internal {

/// An integer as a size in a spec; a truth value and a character are none.
template <class T>
concept SizeInSpec = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// A text as a part of a spec: a `Spec`, a `std::string_view`, a string.
template <class T>
concept TextInSpec = std::convertible_to<T const&, std::string_view>;

/// The most characters of a value, beside the two of its `{}`.
template <class T>
inline constexpr std::size_t characters_in_spec = FixedText::capacity;
template <SizeInSpec T>
inline constexpr std::size_t characters_in_spec<T> =
    std::numeric_limits<T>::digits10 - (std::is_signed_v<T> ? 0 : 1);
template <std::size_t N>
inline constexpr std::size_t characters_in_spec<Spec<N>> = N - 1;

/// Writes a spec with values in the places of its `{}`, in order.
template <std::size_t Capacity>
struct SpecFormatter {
  TextWriter<Capacity> text{};
  std::string_view rest{};  ///< Of the format.

  /// A value without a `{}` is written as `{4}`, which no reader of specs accepts.
  template <class T>
  constexpr void write(T const& value) {
    std::size_t const braces = rest.find("{}");
    bool const found = braces != std::string_view::npos;
    text << rest.substr(0, braces) << (found ? "" : "{");
    rest = found ? rest.substr(braces + 2) : std::string_view();
    if constexpr (SizeInSpec<T>) text << static_cast<std::int64_t>(value);
    else text << std::string_view(value);
    text << (found ? "" : "}");
  }

  /// Writes the rest of the format, and spaces: the types of the values determine how many.
  constexpr Spec<Capacity + 1> finish() {
    text << rest;
    if (text.full) throw std::length_error("tenon::spec: the values are too long");
    Spec<Capacity + 1> result{};
    for (std::size_t i = 0; i < Capacity; ++i)
      result.text[i] = i < text.length ? text.characters[i] : ' ';
    result.text[Capacity] = '\0';
    return result;
  }
};

}  // namespace tenon::internal

namespace tenon::compile_error {

/// `spec` takes integers, and names as strings or specs.
template <class Value>
struct neither_an_integer_nor_a_name;

}  // namespace tenon::compile_error

namespace tenon::internal {

template <class T>
concept ValueInSpec = SizeInSpec<T> || TextInSpec<T>;

template <class T, class... Rest>
constexpr auto first_unfit_value() {
  if constexpr (ValueInSpec<T>) return first_unfit_value<Rest...>();
  else return std::type_identity<error::neither_an_integer_nor_a_name<T>>{};
}

/// Names the first of the values that cannot be a part of a spec.
template <class... Values>
  requires(!(ValueInSpec<Values> && ...))
using UnfitValueInSpec = typename decltype(first_unfit_value<Values...>())::type;

}  // namespace tenon::internal

namespace tenon {

/// A spec with the values of constants in the places of `{}`: `Float32<spec("hidden={}", hidden)>`
/// is `Float32<"hidden=128">` where `hidden` is 128. `values` are integers, and names: strings and
/// specs, so that `spec("{} {}", In, Out)` joins two. As many `{}` as values, no negative size and
/// no malformed spec: else the type or the function that takes the spec does not compile. It may
/// end in spaces, which tensor types drop; a class template such as `Linear` keeps them in its
/// type. Python: `str.format`.
template <std::size_t N, internal::ValueInSpec... Values>
constexpr auto spec(char const (&format)[N], Values... values) {
  internal::SpecFormatter<((N - 1) + ... + internal::characters_in_spec<Values>)> formatter{
      {}, {format, N - 1}};
  (formatter.write(values), ...);
  return formatter.finish();
}
template <std::size_t N, class... Values>
auto spec(char const (&)[N], Values...) -> internal::UnfitValueInSpec<Values...>;

}  // namespace tenon
