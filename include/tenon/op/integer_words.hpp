#pragma once

#include <concepts>
#include <cstdint>

#include <tenon/core/config.hpp>

/// The words of integers: nothing traps, nothing is undefined. Of other values they are operators.
namespace tenon::word {

/// Integers wrap around, as every machine does, also where C++ calls it undefined.
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

/// Integers: towards zero; by zero it is zero, and the smallest by -1 is itself: nothing traps.
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

/// What `divide` leaves, with the sign of a. By zero it is zero: nothing traps.
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

/// May an integer be moved by so many places? (A negative number is a large one.)
template <std::integral T>
constexpr bool is_shift(T places) {
  return static_cast<std::uint64_t>(places) < 8 * sizeof(T);
}

/// Moved to higher places; by as many as there are, or a negative number, nothing is left.
template <class V>
constexpr V shift_left(V a, V b) {
  if constexpr (!std::integral<V>) return a << b;
  else return is_shift(b) ? static_cast<V>(std::uint64_t(a) << b) : V(0);
}

/// Moved to lower places; by as many as there are, or a negative number, the sign is left.
template <class V>
constexpr V shift_right(V a, V b) {
  if constexpr (!std::integral<V>) return a >> b;
  else if (is_shift(b)) return static_cast<V>(a >> b);
  else return a < V(0) ? V(-1) : V(0);
}

}  // namespace tenon::word
