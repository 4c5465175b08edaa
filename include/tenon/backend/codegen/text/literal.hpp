#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/backend/codegen/text/dialect.hpp>
#include <tenon/core/dtype.hpp>

/// Types and numbers in the text of kernels.
namespace tenon::internal::codegen {

/// Index in the list of type names: the logarithm of the size.
template <class T>
inline constexpr std::size_t width_of = std::bit_width(sizeof(T)) - 1;

template <class T>
inline constexpr std::string_view type_text = [] {
  static_assert(!StorageType<T>, "tenon::codegen: 8-bit floating dtypes convert on the host only");
  using Texts = std::array<std::string_view, 4>;
  if constexpr (std::same_as<T, bool>) return std::string_view("mask");
  else if constexpr (std::floating_point<T>) return sizeof(T) == 4 ? "f32" : "f64";
  else if constexpr (std::signed_integral<T>) return Texts{"i8", "i16", "i32", "i64"}[width_of<T>];
  else return Texts{"u8", "u16", "u32", "u64"}[width_of<T>];
}();

/// The shortest digits that round-trip.
template <class T, class... Base>
std::string digits_of(T number, Base... base) {
  std::array<char, 64> buffer{};
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, base...).ptr;
  return {buffer.data(), end};
}

template <std::floating_point T>
std::string literal(Dialect const& dialect, T number) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (!std::isfinite(number)) {
    std::string const bits = digits_of(std::bit_cast<Bits>(number), 16);
    std::string_view const end = dialect.has_typed_numbers ? "u)" : ")";
    return std::string("from_bits_").append(type_text<T>).append("(0x").append(bits).append(end);
  }
  std::string text = digits_of(number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (sizeof(T) == 4 && dialect.has_typed_numbers) text += "f";
  return std::signbit(number) ? "(" + text + ")" : text;
}

/// The bits of a 16-bit float, which kernels store as integers.
template <HalfType T>
std::string literal(Dialect const& dialect, T number) {
  std::string const digits = digits_of(number.bits);
  return dialect.has_typed_numbers ? "(u16)" + digits + "u" : digits;
}

template <std::integral T>
std::string literal(Dialect const& dialect, T number) {
  if constexpr (std::same_as<T, bool>) {
    if (!dialect.has_typed_numbers) return number ? "true" : "false";
    return number ? "1" : "0";
  } else {
    std::string const digits = digits_of(number);
    if (!dialect.has_typed_numbers) return digits[0] == '-' ? "(" + digits + ")" : digits;
    std::string text = digits_of(static_cast<std::make_unsigned_t<T>>(number)) + "u";
    bool const is_plain = sizeof(T) < 8 && std::signed_integral<T> && number >= 0;
    if (is_plain) text.pop_back();
    return is_plain || std::same_as<T, std::uint32_t>
               ? text
               : std::string("(").append(type_text<T>).append(")") + text;
  }
}

}  // namespace tenon::internal::codegen
