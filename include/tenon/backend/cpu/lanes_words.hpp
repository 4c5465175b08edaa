#pragma once

#include <tenon/backend/cpu/lanes_narrow.hpp>
#include <tenon/backend/cpu/lanes_wide.hpp>

/// The machine words for lanes, found by argument-dependent lookup from the bodies of the ops.
namespace tenon {

template <std::floating_point T>
Lanes<T> fma(Lanes<T> x, Lanes<T> y, Lanes<T> z) {
  using Batch = typename Lanes<T>::Batch;
  return Lanes<T>::mapped(
      [](Batch a, Batch b, Batch c) {
#ifdef __AVX512F__  // xsimd 8.1 has no fma for AVX-512
        if constexpr (sizeof(T) == 4) return Batch(_mm512_fmadd_ps(a, b, c));
        else return Batch(_mm512_fmadd_pd(a, b, c));
#else
        return xsimd::fma(a, b, c);
#endif
      },
      x, y, z);
}

template <std::floating_point T>
Lanes<T> sqrt(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return xsimd::sqrt(b); }, x);
}

template <std::floating_point T>
Lanes<T> floor(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return xsimd::floor(b); }, x);
}

template <std::floating_point T>
Lanes<T> round_even(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return xsimd::nearbyint(b); }, x);
}

template <std::floating_point T>
auto bits(Lanes<T> x) {
  using Bits = Lanes<typename word::Layout<T>::Bits>;
  return Bits::mapped([](auto b) { return xsimd::bitwise_cast<typename Bits::Batch>(b); }, x);
}

template <std::unsigned_integral U>
auto from_bits(Lanes<U> x) {
  using Floats = Lanes<std::conditional_t<sizeof(U) == 4, float, double>>;
  return Floats::mapped([](auto b) { return xsimd::bitwise_cast<typename Floats::Batch>(b); }, x);
}

template <std::floating_point T>
Lanes<bool> is_nan(Lanes<T> x) {
  return x != x;
}

template <std::floating_point T>
Lanes<T> copysign(Lanes<T> magnitude, Lanes<T> sign) {
  Lanes<T> const s = T(-0.0);
  return Lanes<T>::mapped([](auto m, auto x, auto b) { return (m & ~b) | (x & b); }, magnitude,
                          sign, s);
}

template <class T>
Lanes<T> abs(Lanes<T> x) {
  if constexpr (std::floating_point<T>) return copysign(x, Lanes<T>(T(0)));
  else if constexpr (std::signed_integral<T>) return select(x < T(0), -x, x);
  else return x;
}

template <class T>
Lanes<T> maximum(Lanes<T> a, Lanes<T> b) {
  if constexpr (!std::floating_point<T>) return select(a < b, b, a);
  else {
    auto const both = [](auto x, auto y) { return xsimd::max(x, y) & xsimd::max(y, x); };
    return select(is_nan(a) | is_nan(b), a + b, Lanes<T>::mapped(both, a, b));
  }
}

template <class T>
Lanes<T> minimum(Lanes<T> a, Lanes<T> b) {
  if constexpr (!std::floating_point<T>) return select(b < a, b, a);
  else {
    auto const both = [](auto x, auto y) { return xsimd::min(x, y) | xsimd::min(y, x); };
    return select(is_nan(a) | is_nan(b), a + b, Lanes<T>::mapped(both, a, b));
  }
}

/// The unsigned lanes below 2^23 (2^52) as floating ones.
template <std::unsigned_integral U>
auto small_to_floating(Lanes<U> x) {
  using T = std::conditional_t<sizeof(U) == 4, float, double>;
  T const magic = T(1) / std::numeric_limits<T>::epsilon();
  return from_bits(x | Lanes<U>(word::bits(magic))) - Lanes<T>(magic);
}

/// 2^n for integers n within the normal range.
template <std::floating_point T>
Lanes<T> power_of_two(Lanes<T> n) {
  using L = word::Layout<T>;
  T const magic = T(1) / std::numeric_limits<T>::epsilon() + T(L::bias);
  return from_bits(bits(n + Lanes<T>(magic)) << L::mantissa_bits);
}

template <std::floating_point T>
Lanes<T> scale(Lanes<T> x, Lanes<T> n) {
#ifdef __AVX512F__
  using Batch = typename Lanes<T>::Batch;
  auto const scaled = [](Batch a, Batch b) {
    if constexpr (sizeof(T) == 4) return Batch(_mm512_scalef_ps(a, b));
    else return Batch(_mm512_scalef_pd(a, b));
  };
  return Lanes<T>::mapped(scaled, x, n);
#else
  Lanes<T> const half = floor(n * Lanes<T>(T(0.5)));
  return (x * power_of_two(half)) * power_of_two(n - half);
#endif
}

template <std::floating_point T>
Lanes<T> exponent(Lanes<T> x) {
  using L = word::Layout<T>;
  Lanes<bool> const small = x < L::smallest_normal;
  Lanes<T> const normal = select(small, x * (T(1) / std::numeric_limits<T>::epsilon()), x);
  Lanes<T> const biased = small_to_floating(bits(normal) >> L::mantissa_bits);
  return biased - select(small, Lanes<T>(T(L::bias + L::mantissa_bits)), Lanes<T>(T(L::bias)));
}

template <std::floating_point T>
Lanes<T> mantissa(Lanes<T> x) {
  using L = word::Layout<T>;
  using Bits = Lanes<typename L::Bits>;
  Lanes<T> const normal =
      select(x < L::smallest_normal, x * (T(1) / std::numeric_limits<T>::epsilon()), x);
  return from_bits((bits(normal) & Bits(L::fraction)) | Bits(L::one));
}

/// The lanes in another dtype; lane by lane unless the machine does better.
template <class To, class From>
Lanes<To> convert(Lanes<From> x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_same_v<To, bool>) return x != Lanes<From>(From(0));
  else if constexpr (std::is_same_v<From, bool>) return select(x, Lanes<To>(To(1)), Lanes<To>(To(0)));
  else {
    From from[lane_count];
    To to[lane_count];
    x.store(from);
    for (int i = 0; i < lane_count; ++i) to[i] = word::convert<To>(from[i]);
    return Lanes<To>::load(to);
  }
}

}  // namespace tenon
