#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenon/core/config.hpp>
#include <tenon/op/integer_intrinsics.hpp>
#include <tenon/op/value.hpp>

/// The intrinsics: the operations that op definitions may use beyond `+ - * /` and comparisons.
/// Here they are for scalars, also in constant evaluation. `Lanes`, `Symbol` and the like have
/// overloads, found by argument-dependent lookup. They are in a separate namespace so that `using
/// namespace tenon` does not make `sqrt(2.0)` ambiguous with the C library's.
namespace tenon::internal::intrinsics {

/// The bits of a floating scalar as an unsigned integer of the same width.
template <std::floating_point T>
constexpr auto bits(T x) {
  return std::bit_cast<typename Layout<T>::Bits>(x);
}

/// The floating scalar that has these bits.
constexpr float from_bits(std::uint32_t b) { return std::bit_cast<float>(b); }
constexpr double from_bits(std::uint64_t b) { return std::bit_cast<double>(b); }

template <class T>
  requires Scalar<T> || ComplexType<T>
constexpr T select(bool mask, T yes, T no) {
  return mask ? yes : no;
}

/// A function of single elements, in every lane: for dtypes without vector instructions.
template <class F, class... T>
  requires(is_dtype<T> && ...)
constexpr auto by_element(F const& f, T const&... x) {
  return f(x...);
}

template <Scalar T>
constexpr bool is_nan(T x) {
  return x != x;
}

/// f(x) where the mask is true, which is rare, else `usual`; f accepts scalars, and symbols.
template <Scalar T, class F>
constexpr T rarely(bool mask, T x, F f, T usual) {
  return mask ? f(x) : usual;
}

/// yes() if the mask is true, else no(); the mask is the same in every lane.
template <class Yes, class No>
constexpr auto either(bool mask, Yes yes, No no) {
  return mask ? yes() : no();
}

/// An entry of a named table.
template <class Table>
constexpr std::uint64_t entry(std::uint64_t at) {
  return Table::entries[at];
}

/// The value limited to [low, high]; NaN stays NaN.
template <Scalar T>
constexpr T clamp(T x, T low, T high) {
  return x < low ? low : high < x ? high : x;
}

template <std::floating_point T>
constexpr T copysign(T magnitude, T sign) {
  constexpr auto s = Layout<T>::sign;
  return from_bits((bits(magnitude) & ~s) | (bits(sign) & s));
}

template <Scalar T>
constexpr T abs(T x) {
  if constexpr (std::floating_point<T>) return from_bits(bits(x) & ~Layout<T>::sign);
  else if constexpr (std::signed_integral<T>) return x < 0 ? subtract(T(0), x) : x;
  else return x;
}

/// The larger one; NaN when either is; -0 is below +0 (IEEE 754-2019 `maximum`).
template <Scalar T>
constexpr T maximum(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (is_nan(a) || is_nan(b)) return a + b;
    if (a == b) return from_bits(bits(a) & bits(b));
  }
  return a < b ? b : a;
}

/// The smaller one; NaN when either is; -0 is below +0 (IEEE 754-2019 `minimum`).
template <Scalar T>
constexpr T minimum(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (is_nan(a) || is_nan(b)) return a + b;
    if (a == b) return from_bits(bits(a) | bits(b));
  }
  return b < a ? b : a;
}

/// The nearest integer, halves to even.
template <std::floating_point T>
constexpr T round_even(T x) {
  constexpr T magic = T(1) / std::numeric_limits<T>::epsilon();  // from here on all floats are
                                                                 // integers
  if (!(abs(x) < magic)) return x;
  T const shifted = copysign(magic, x);
  return copysign((x + shifted) - shifted, x);
}

template <std::floating_point T>
constexpr T floor(T x) {
  T const nearest = round_even(x);
  return copysign(nearest - (nearest > x ? T(1) : T(0)), x);
}

/// 2^n for an integer n within the normal range. (The sum has the integer in its lowest bits.)
template <std::floating_point T>
constexpr T power_of_two(T n) {
  using L = Layout<T>;
  return from_bits(bits(n + (T(1) / std::numeric_limits<T>::epsilon() + L::bias))
                   << L::mantissa_bits);
}

/// The scalar of another dtype nearest to x. Floating to integer truncates towards zero and
/// saturates; NaN becomes 0.
template <class To, class From>
constexpr To convert(From x) {
  if constexpr (std::same_as<To, bool>) {
    return x != From(0);
  } else if constexpr (std::integral<To> && std::floating_point<From>) {
    constexpr From limit = power_of_two(From(std::numeric_limits<To>::digits));
    if (x >= limit) return (std::numeric_limits<To>::max)();
    if (x <= (std::signed_integral<To> ? -limit : From(0))) return (std::numeric_limits<To>::min)();
    return is_nan(x) ? To(0) : static_cast<To>(x);
  } else if constexpr (std::integral<To> && !Scalar<From>) {
    return convert<To>(static_cast<float>(x));
  } else if constexpr (std::is_arithmetic_v<From> && requires { typename To::value_type; }) {
    return static_cast<typename To::value_type>(x);  // complex
  } else if constexpr (requires { static_cast<To>(x); }) {
    return static_cast<To>(x);
  } else {  // one 16-bit dtype to the other
    return static_cast<To>(static_cast<float>(x));
  }
}

/// x * 2^n, rounded once, for an integer n of up to twice the range of exponents; x * 2^(n/2) is
/// normal.
template <std::floating_point T>
constexpr T scale(T x, T n) {
  T const half = floor(n * T(0.5));
  return (x * power_of_two(half)) * power_of_two(n - half);
}

/// x * 2^floor(n), rounded once, for x in [1/2, 4) and any n; zero, infinity and NaN for these.
template <std::floating_point T>
constexpr T scale_by_floor(T x, T n) {
  T const limit = T(2 * Layout<T>::bias - 8);
  return is_nan(n) ? n : scale(x, floor(clamp(n, -limit, limit)));
}

/// Whether 16-entry table lookups and scaling by any power of two are single instructions.
template <class V>
inline constexpr bool looks_up = false;
#ifdef __AVX512DQ__
template <>
inline constexpr bool looks_up<float> = true;
#endif

/// The one of sixteen numbers whose index is in the lowest bits.
constexpr float looked_up(std::uint32_t place, float const (&numbers)[16]) {
  return numbers[place % 16];
}

/// min(x, high), and max(x, low). NaN stays NaN.
template <std::floating_point T>
constexpr T at_most(T x, T high) {
  return high < x ? high : x;
}
template <std::floating_point T>
constexpr T at_least(T x, T low) {
  return x < low ? low : x;
}

/// x, or `limit` where |x| is larger, or x is NaN.
template <std::floating_point T>
constexpr T bounded(T x, T limit) {
  return abs(x) < limit ? x : limit;
}

/// The e of x = m * 2^e with m in [1, 2): for positive x, subnormal ones included.
template <std::floating_point T>
constexpr T exponent(T x) {
  using L = Layout<T>;
  bool const small = x < L::smallest_normal;
  T const normal = small ? x / std::numeric_limits<T>::epsilon() : x;
  auto const biased = static_cast<int>(bits(normal) >> L::mantissa_bits);
  return static_cast<T>(biased - L::bias - (small ? L::mantissa_bits : 0));
}

/// The m of x = m * 2^e with m in [1, 2): for positive x, subnormal ones included.
template <std::floating_point T>
constexpr T mantissa(T x) {
  using L = Layout<T>;
  T const normal = x < L::smallest_normal ? x / std::numeric_limits<T>::epsilon() : x;
  return from_bits((bits(normal) & L::fraction) | L::one);
}

/// Whether the machine has a fused multiply-add.
#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool fma_rounds_once = true;
#else
inline constexpr bool fma_rounds_once = false;
#endif

/// x * y + z, rounded once where the machine supports it; op definitions are accurate enough
/// without.
template <std::floating_point T>
constexpr T fma(T x, T y, T z) {
  if (__builtin_is_constant_evaluated()) return static_cast<T>(double(x) * double(y) + double(z));
  if constexpr (fma_rounds_once) return std::fma(x, y, z);
  else return x * y + z;
}

template <std::floating_point T>
constexpr T sqrt(T x) {
  if (!__builtin_is_constant_evaluated()) return std::sqrt(x);
  if (!(x > 0) || x == Layout<T>::infinity) return x < 0 ? Layout<T>::nan : x;
  T y = scale(T(1), floor(exponent(x) * T(0.5)));
  for (int i = 0; i < 8; ++i) y = T(0.5) * (y + x / y);
  return y;
}

}  // namespace tenon::internal::intrinsics
