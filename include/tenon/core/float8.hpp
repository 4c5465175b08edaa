#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <tenon/core/half.hpp>

namespace tenon::internal {

/// A format of 8 bits: those of the fraction, the bias of the exponent, the bits of infinity or,
/// where there is none, of NaN, and the bits of the NaN that a conversion gives.
struct Float8Format {
  int fraction_bits;
  int bias;
  std::uint32_t overflow;
  std::uint32_t nan;

  constexpr int shift() const { return 23 - fraction_bits; }
  /// The bits of the least normal number as a float.
  constexpr std::uint32_t least_normal() const {
    return static_cast<std::uint32_t>(127 + 1 - bias) << 23;
  }
  /// The power of two whose last place as a float is the least subnormal number.
  constexpr float subnormal_shift() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(127 + 24 - bias - fraction_bits) << 23);
  }
};

inline constexpr Float8Format e4m3fn{3, 7, 0x7fu, 0x7fu};
inline constexpr Float8Format e5m2{2, 15, 0x7cu, 0x7eu};

/// The bits of a float in a format, rounded to nearest even; beyond the largest number infinity, or
/// NaN in a format without it.
constexpr std::uint8_t float8_bits(Float8Format const& format, float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t const sign = (bits >> 24) & 0x80u, magnitude = bits & 0x7fffffffu;
  std::uint32_t small = format.nan;
  if (magnitude <= 0x7f800000u) {
    std::uint32_t const last = (magnitude >> format.shift()) & 1u,
                        half = 1u << (format.shift() - 1);
    std::uint32_t const rebiased =
        magnitude - (static_cast<std::uint32_t>(127 - format.bias) << 23);
    small = (rebiased + (half - 1) + last) >> format.shift();
    if (magnitude < format.least_normal()) {  // the sum rounds at the least subnormal number
      float const shift = format.subnormal_shift();
      small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + shift) -
              std::bit_cast<std::uint32_t>(shift);
    } else if (small > format.overflow) {
      small = format.overflow;
    }
  }
  return static_cast<std::uint8_t>(sign | small);
}

/// The float value of the bits; exact. NaN becomes quiet.
constexpr float float8_value(Float8Format const& format, std::uint8_t bits) {
  std::uint32_t const sign = (bits & 0x80u) << 24, magnitude = bits & 0x7fu;
  std::uint32_t wide =
      (magnitude << format.shift()) + (static_cast<std::uint32_t>(127 - format.bias) << 23);
  if (magnitude > format.overflow || magnitude == 0x7fu) wide = 0x7fc00000u;
  else if (magnitude == format.overflow) wide = 0x7f800000u;
  else if (magnitude >> format.fraction_bits == 0) {
    float const least = format.subnormal_shift() * 0x1p-23f;
    wide = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * least);
  }
  return std::bit_cast<float>(sign | wide);
}

}  // namespace tenon::internal

namespace tenon {

/// An 8-bit floating number of 4 bits of exponent and 3 of fraction, without infinities: up to 448,
/// NaN beyond. Storage and conversion only, rounded once to nearest even. OCP 8-bit floating point
/// specification, 2023. PyTorch: `torch.float8_e4m3fn`.
struct float8_e4m3fn {
  static constexpr int digits = 4;
  std::uint8_t bits = 0;

  constexpr float8_e4m3fn() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr float8_e4m3fn(T value)
      : bits(internal::float8_bits(internal::e4m3fn, internal::rounded_to_odd(value))) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const {
    return static_cast<T>(internal::float8_value(internal::e4m3fn, bits));
  }

  static constexpr float8_e4m3fn from_bits(std::uint8_t bits) {
    float8_e4m3fn result;
    result.bits = bits;
    return result;
  }
  friend constexpr bool operator==(float8_e4m3fn a, float8_e4m3fn b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// An 8-bit floating number of 5 bits of exponent and 2 of fraction, the upper half of a `float16`:
/// up to 57344, infinite beyond. Storage and conversion only, rounded once to nearest even. OCP
/// 8-bit floating point specification, 2023. PyTorch: `torch.float8_e5m2`.
struct float8_e5m2 {
  static constexpr int digits = 3;
  std::uint8_t bits = 0;

  constexpr float8_e5m2() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr float8_e5m2(T value)
      : bits(internal::float8_bits(internal::e5m2, internal::rounded_to_odd(value))) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const {
    return static_cast<T>(internal::float8_value(internal::e5m2, bits));
  }

  static constexpr float8_e5m2 from_bits(std::uint8_t bits) {
    float8_e5m2 result;
    result.bits = bits;
    return result;
  }
  friend constexpr bool operator==(float8_e5m2 a, float8_e5m2 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

}  // namespace tenon
