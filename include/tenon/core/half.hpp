#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tenon::internal {

/// Rounds to odd: if the number differs from `nearest`, the float nearest to it, the last bit of
/// the result is 1. `is_larger`: the magnitude of `nearest` exceeds that of the number.
constexpr float to_odd(float nearest, bool is_exact, bool is_larger) {
  auto const bits = std::bit_cast<std::uint32_t>(nearest);
  return is_exact ? nearest : std::bit_cast<float>((bits - (is_larger ? 1u : 0u)) | 1u);
}

/// The number as a float, rounded to odd: rounding that to 16 bits equals rounding the number once
/// (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
template <std::floating_point T>
constexpr float rounded_to_odd(T value) {
  auto const nearest = static_cast<float>(value);
  T const back = static_cast<T>(nearest), size = value < T(0) ? -value : value;
  return to_odd(nearest, back == value || value != value, (back < T(0) ? -back : back) > size);
}
constexpr float rounded_to_odd(float value) { return value; }
template <std::integral T>
constexpr float rounded_to_odd(T value) {
  if constexpr (std::numeric_limits<T>::digits <= 53) {
    return rounded_to_odd(static_cast<double>(value));
  } else {  // for more than 53 bits: the last 11 are combined to one sticky bit
    constexpr T large = T(1) << 52;
    bool const is_large = value > large || (std::is_signed_v<T> && value < T(0) - large);
    T const kept = static_cast<T>(value >> 11 | ((value & 0x7ff) != 0 ? 1 : 0));
    return rounded_to_odd(is_large ? static_cast<double>(kept) * 2048 : static_cast<double>(value));
  }
}

/// IEEE 754 binary16 bits of a float, rounded to nearest even; NaN becomes the quiet NaN of its
/// sign, as in Eigen.
constexpr std::uint16_t half_bits(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  auto const sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  std::uint32_t const magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u;
  } else if (magnitude >= 0x47800000u) {  // 65536 and above: infinity
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {  // below 2^-14: subnormal; adding 0.5 rounds at 2^-24
    float const shifted = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u;
  } else {  // rebias the exponent by 127 - 15 and round; a carry may reach infinity
    half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

/// The float value of binary16 bits; exact. NaN becomes quiet.
constexpr float half_value(std::uint16_t bits) {
  std::uint32_t const sign = (bits & 0x8000u) << 16;
  std::uint32_t const exponent = (bits >> 10) & 0x1fu;
  std::uint32_t const fraction = bits & 0x3ffu;
  if (exponent == 0) {
    float const magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  std::uint32_t const wide = exponent == 0x1fu ? 0xffu : exponent + (127 - 15);
  std::uint32_t const quiet = exponent == 0x1fu && fraction != 0 ? 0x400000u : 0;
  return std::bit_cast<float>(sign | (wide << 23) | quiet | (fraction << 13));
}

/// The upper half of a float, rounded to nearest even; NaN becomes the quiet NaN of its sign, as in
/// Eigen.
constexpr std::uint16_t bfloat_bits(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return (bits >> 31) != 0 ? 0xffc0 : 0x7fc0;
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

constexpr float bfloat_value(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace tenon::internal

namespace tenon {

/// IEEE 754 binary16: 5 bits of exponent, 11 of precision. Storage and conversion, rounded once;
/// arithmetic is defined for tensors of it. PyTorch: `torch.float16`.
struct float16 {
  static constexpr int digits = 11;
  std::uint16_t bits = 0;

  constexpr float16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr float16(T value)
      : bits(internal::half_bits(internal::rounded_to_odd(value))) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const {
    return static_cast<T>(internal::half_value(bits));
  }

  static constexpr float16 from_bits(std::uint16_t bits) {
    float16 result;
    result.bits = bits;
    return result;
  }
  friend constexpr bool operator==(float16 a, float16 b) {
    return internal::half_value(a.bits) == internal::half_value(b.bits);
  }
};

/// bfloat16: the upper half of a float, 8 bits of precision. Storage and conversion, rounded once;
/// arithmetic is defined for tensors of it. PyTorch: `torch.bfloat16`. JAX: `bfloat16`.
struct bfloat16 {
  static constexpr int digits = 8;
  std::uint16_t bits = 0;

  constexpr bfloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr bfloat16(T value)
      : bits(internal::bfloat_bits(internal::rounded_to_odd(value))) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const {
    return static_cast<T>(internal::bfloat_value(bits));
  }

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result;
    result.bits = bits;
    return result;
  }
  friend constexpr bool operator==(bfloat16 a, bfloat16 b) {
    return internal::bfloat_value(a.bits) == internal::bfloat_value(b.bits);
  }
};

}  // namespace tenon
