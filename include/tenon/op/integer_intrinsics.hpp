#pragma once

#include <concepts>
#include <cstdint>

#include <tenon/core/config.hpp>

/// The intrinsics of integers: nothing traps, no undefined behaviour. For other values they are the
/// operators.
namespace tenon::internal::intrinsics {

/// Integers wrap around, also where C++ leaves signed overflow undefined.
template <class V>
TENON_INLINE constexpr V add(V a, V b) {
  if constexpr (std::integral<V>) return static_cast<V>(std::uint64_t(a) + std::uint64_t(b));
  else return a + b;
}

template <class V>
TENON_INLINE constexpr V subtract(V a, V b) {
  if constexpr (std::integral<V>) return static_cast<V>(std::uint64_t(a) - std::uint64_t(b));
  else return a - b;
}

template <class V>
TENON_INLINE constexpr V multiply(V a, V b) {
  if constexpr (std::integral<V>) return static_cast<V>(std::uint64_t(a) * std::uint64_t(b));
  else return a * b;
}

/// The upper half of the product of two words.
constexpr std::uint32_t multiply_high(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}
__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((Wide{a} * b) >> 64);
}

/// Integers: truncates; by zero it is zero, and the smallest by -1 is itself: nothing traps.
template <class V>
TENON_INLINE constexpr V divide(V a, V b) {
  if constexpr (!std::integral<V>) {
    return a / b;
  } else {
    if (b == V(0)) return V(0);
    if constexpr (std::signed_integral<V>) {
      if (b == V(-1)) return subtract(V(0), a);
    }
    return static_cast<V>(a / b);
  }
}

/// The remainder of `divide`, with the sign of a. By zero it is zero: nothing traps.
template <class V>
constexpr V modulo(V a, V b) {
  if constexpr (!std::integral<V>) {
    return a % b;
  } else {
    if (b == V(0)) return V(0);
    if constexpr (std::signed_integral<V>) {
      if (b == V(-1)) return V(0);
    }
    return static_cast<V>(a % b);
  }
}

/// Whether the shift is below the bit width. (A negative number counts as a large one.)
template <std::integral T>
constexpr bool is_shift(T places) {
  return static_cast<std::uint64_t>(places) < 8 * sizeof(T);
}

/// Left shift; by the bit width or more, or a negative number, the result is 0.
template <class V>
constexpr V shift_left(V a, V b) {
  if constexpr (!std::integral<V>) return a << b;
  else return is_shift(b) ? static_cast<V>(std::uint64_t(a) << b) : V(0);
}

/// Right shift; by the bit width or more, or a negative number, only the sign is left.
template <class V>
constexpr V shift_right(V a, V b) {
  if constexpr (!std::integral<V>) return a >> b;
  else if (is_shift(b)) return static_cast<V>(a >> b);
  else return a < V(0) ? V(-1) : V(0);
}

}  // namespace tenon::internal::intrinsics
