#pragma once

#include <tenon/backend/cpu/simd/lanes_narrow.hpp>
#include <tenon/backend/cpu/simd/lanes_wide.hpp>

/// The intrinsics for lanes, found by argument-dependent lookup from the bodies of the ops. All are
/// inlined: in a large program g++ would emit calls, and a call in the innermost loop spills every
/// register.
namespace tenon::internal {

template <std::floating_point T>
TENON_INLINE inline Lanes<T> fma(Lanes<T> x, Lanes<T> y, Lanes<T> z) {
  return Lanes<T>::mapped([](simd::Batch<T> a, simd::Batch<T> b,
                             simd::Batch<T> c) { return simd::Native::fma(a, b, c); },
                          x, y, z);
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> sqrt(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return simd::sqrt(b); }, x);
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> floor(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return simd::Native::floor(b); }, x);
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> round_even(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return simd::nearbyint(b); }, x);
}

template <std::floating_point T>
TENON_INLINE inline auto bits(Lanes<T> x) {
  using Bits = Lanes<typename intrinsics::Layout<T>::Bits>;
  return Bits::mapped([](auto b) { return simd::bits_as<typename Bits::value_type>(b); }, x);
}

template <std::unsigned_integral U>
TENON_INLINE inline auto from_bits(Lanes<U> x) {
  using Floats = Lanes<std::conditional_t<sizeof(U) == 4, float, double>>;
  return Floats::mapped([](auto b) { return simd::bits_as<typename Floats::value_type>(b); }, x);
}

/// The upper half of the product of two 32-bit integers.
inline Lanes<std::uint32_t> multiply_high(Lanes<std::uint32_t> a, Lanes<std::uint32_t> b) {
  return Lanes<std::uint32_t>::mapped(
      [](auto x, auto y) { return simd::Native::multiply_high(x, y); }, a, b);
}

template <std::floating_point T>
TENON_INLINE inline Lanes<bool> is_nan(Lanes<T> x) {
  return x != x;
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> copysign(Lanes<T> magnitude, Lanes<T> sign) {
  return Lanes<T>::mapped([](auto m, auto x) { return simd::Native::copysign(m, x); }, magnitude,
                          sign);
}

template <class T>
TENON_INLINE inline Lanes<T> abs(Lanes<T> x) {
  if constexpr (std::floating_point<T>) return copysign(x, Lanes<T>(T(0)));
  else if constexpr (std::signed_integral<T>) return select(x < T(0), -x, x);
  else return x;
}

template <class T>
TENON_INLINE inline Lanes<T> maximum(Lanes<T> a, Lanes<T> b) {
  if constexpr (!std::floating_point<T>) return select(a < b, b, a);
  else return Lanes<T>::mapped([](auto x, auto y) { return simd::Native::maximum(x, y); }, a, b);
}

template <class T>
TENON_INLINE inline Lanes<T> minimum(Lanes<T> a, Lanes<T> b) {
  if constexpr (!std::floating_point<T>) return select(b < a, b, a);
  else return Lanes<T>::mapped([](auto x, auto y) { return simd::Native::minimum(x, y); }, a, b);
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> clamp(Lanes<T> x, Lanes<T> low, Lanes<T> high) {
  return Lanes<T>::mapped([](auto b, auto l, auto h) { return simd::Native::clamp(b, l, h); }, x,
                          low, high);
}

/// Applies a scalar function to every lane: for rare cases.
template <class T, class F>
[[gnu::noinline, gnu::cold]] Lanes<T> by_lane(Lanes<T> x, F f) {
  return Lanes<T>::by_lane([&](T lane, T) { return f(lane); }, x, x);
}

template <class T, class F>
TENON_INLINE inline Lanes<T> rarely(Lanes<bool> mask, Lanes<T> x, F f, Lanes<T> usual) {
  return mask.any() ? select(mask, by_lane(x, f), usual) : usual;
}

template <class Yes, class No>
TENON_INLINE inline auto either(Lanes<bool> mask, Yes yes, No no) {
  return mask.any() ? yes() : no();
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> scale(Lanes<T> x, Lanes<T> n) {
  return Lanes<T>::mapped([](auto a, auto b) { return simd::Native::scale(a, b); }, x, n);
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> exponent(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return simd::Native::exponent(b); }, x);
}

template <std::floating_point T>
TENON_INLINE inline Lanes<T> mantissa(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return simd::Native::mantissa(b); }, x);
}

#ifdef __AVX512DQ__  // like `intrinsics::looks_up`
template <>
inline constexpr bool intrinsics::looks_up<Lanes<float>> = true;

TENON_INLINE inline Lanes<float> looked_up(Lanes<std::uint32_t> place, float const (&numbers)[16]) {
  Lanes<float> y;
  y.part[0] = simd::Native::looked_up(place.part[0], numbers);
  return y;
}
TENON_INLINE inline Lanes<float> at_most(Lanes<float> x, Lanes<float> high) {
  return Lanes<float>::mapped([](auto a, auto b) { return simd::Native::at_most(a, b); }, x, high);
}
TENON_INLINE inline Lanes<float> at_least(Lanes<float> x, Lanes<float> low) {
  return Lanes<float>::mapped([](auto a, auto b) { return simd::Native::at_least(a, b); }, x, low);
}
TENON_INLINE inline Lanes<float> bounded(Lanes<float> x, Lanes<float> limit) {
  return Lanes<float>::mapped([](auto a, auto b) { return simd::Native::bounded(a, b); }, x, limit);
}
/// (The instruction rounds the power down by itself.)
TENON_INLINE inline Lanes<float> scale_by_floor(Lanes<float> x, Lanes<float> n) {
  return scale(x, n);
}
#endif

#ifdef __AVX512DQ__
template <std::floating_point T>
TENON_INLINE inline Lanes<T> maximum_number(Lanes<T> a, Lanes<T> b) {
  return Lanes<T>::mapped([](auto x, auto y) { return simd::Native::maximum_number(x, y); }, a, b);
}
template <std::floating_point T>
TENON_INLINE inline Lanes<T> minimum_number(Lanes<T> a, Lanes<T> b) {
  return Lanes<T>::mapped([](auto x, auto y) { return simd::Native::minimum_number(x, y); }, a, b);
}
#endif

}  // namespace tenon::internal
