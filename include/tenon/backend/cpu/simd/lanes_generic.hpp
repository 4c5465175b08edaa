#pragma once

#include <cstdint>
#include <limits>

#include <tenon/backend/cpu/simd/lanes_registers.hpp>
#include <tenon/op/intrinsics.hpp>

/// Register operations, used only by `Lanes`.
namespace tenon::internal::simd {

/// Register operations on any target of xsimd. Target-specific types inherit from it and override.
struct Generic {
  template <class T>
  static Batch<T> fma(Batch<T> x, Batch<T> y, Batch<T> z) {
    return simd::fma(x, y, z);
  }

  /// xsimd 8.1's own function loses the sign of -0 on targets without an instruction for floor.
  template <class T>
  static Batch<T> floor(Batch<T> x) {
    return copysign(simd::floor(x), x);
  }

  template <class T>
  static Batch<T> copysign(Batch<T> magnitude, Batch<T> sign) {
    return (magnitude & ~Batch<T>(T(-0.0))) | (sign & Batch<T>(T(-0.0)));
  }

  /// True if either is NaN. (xsimd 8.1's `!=` is false for NaN with AVX and AVX-512.)
  template <class T>
  static Flags<T> not_equal(Batch<T> a, Batch<T> b) {
    return ~(a == b);
  }

  using Word = std::uint32_t;
  static Batch<Word> multiply_high(Batch<Word> a, Batch<Word> b) {
    Word x[width<Word>], y[width<Word>];
    a.store_unaligned(x);
    b.store_unaligned(y);
    for (int i = 0; i < width<Word>; ++i) x[i] = intrinsics::multiply_high(x[i], y[i]);
    return Batch<Word>::load_unaligned(x);
  }

  template <class T>
  static Batch<T> select(Flags<T> flags, Batch<T> yes, Batch<T> no) {
    return simd::select(flags, yes, no);
  }

  /// NaN propagates.
  template <class T>
  static Batch<T> clamp(Batch<T> x, Batch<T> low, Batch<T> high) {
    return simd::select(x < low, low, simd::select(high < x, high, x));
  }

  /// The two orders of min differ only for zeros and NaN; `or` selects the -0 of two zeros.
  template <class T>
  static Batch<T> minimum(Batch<T> a, Batch<T> b) {
    Batch<T> const smaller = (simd::min)(a, b) | (simd::min)(b, a);
    return simd::select((a == a) & (b == b), smaller, a + b);
  }
  template <class T>
  static Batch<T> maximum(Batch<T> a, Batch<T> b) {
    Batch<T> const larger = (simd::max)(a, b) & (simd::max)(b, a);
    return simd::select((a == a) & (b == b), larger, a + b);
  }

  /// 2^n for integers n within the normal range.
  template <class T>
  static Batch<T> power_of_two(Batch<T> n) {
    using L = intrinsics::Layout<T>;
    Batch<T> const magic = T(1) / std::numeric_limits<T>::epsilon() + T(L::bias);
    return bits_as<T>(bits_as<typename L::Bits>(n + magic) << L::mantissa_bits);
  }
  template <class T>
  static Batch<T> scale(Batch<T> x, Batch<T> n) {
    Batch<T> const half = simd::floor(n * Batch<T>(T(0.5)));
    return (x * power_of_two(half)) * power_of_two(n - half);
  }

  template <class T>
  static Batch<T> made_normal(Batch<T> x) {
    T const factor = T(1) / std::numeric_limits<T>::epsilon();
    return simd::select(x < Batch<T>(intrinsics::Layout<T>::smallest_normal), x * Batch<T>(factor),
                        x);
  }
  template <class T>
  static Batch<T> exponent(Batch<T> x) {
    using L = intrinsics::Layout<T>;
    using Bits = Batch<typename L::Bits>;
    T const magic = T(1) / std::numeric_limits<T>::epsilon();
    Bits const biased = bits_as<typename L::Bits>(made_normal(x)) >> L::mantissa_bits;
    Batch<T> const e = bits_as<T>(biased | Bits(intrinsics::bits(magic))) - magic;
    Batch<T> const small = T(L::bias + L::mantissa_bits), large = T(L::bias);
    return e - simd::select(x < Batch<T>(L::smallest_normal), small, large);
  }
  template <class T>
  static Batch<T> mantissa(Batch<T> x) {
    using L = intrinsics::Layout<T>;
    using Bits = Batch<typename L::Bits>;
    Bits const fraction = bits_as<typename L::Bits>(made_normal(x)) & Bits(L::fraction);
    return bits_as<T>(fraction | Bits(L::one));
  }

  /// Lane i of the result is lane i ^ step.
  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    T from[width<T>], to[width<T>];
    x.store_unaligned(from);
    for (int i = 0; i < width<T>; ++i) to[i] = from[i ^ step];
    return Batch<T>::load_unaligned(to);
  }

  /// `count` elements; the remaining lanes are `last`. (Not inlined: the tail of every formula
  /// loads all of its leaves by it, which was a tenth of its code.)
  template <class T>
  [[gnu::noinline]] static Batch<T> load(T const* from, int count, T last) {
    T buffer[width<T>];
    for (int i = 0; i < width<T>; ++i) buffer[i] = i < count ? from[i] : last;
    return Batch<T>::load_unaligned(buffer);
  }
  template <class T>
  [[gnu::noinline]] static void store(Batch<T> x, T* to, int count) {
    T buffer[width<T>];
    x.store_unaligned(buffer);
    for (int i = 0; i < width<T> && i < count; ++i) to[i] = buffer[i];
  }

  /// Whether there are non-temporal stores.
  static constexpr bool stores_past_caches = false;
  template <class T>
  static void store_past_caches(Batch<T> x, T* to) {
    x.store_unaligned(to);
  }
  static void finish_past_caches() {}

  /// True in the first `count` lanes.
  static Flags<float> first_flags(int count) {
    float index[lane_count];
    for (int i = 0; i < lane_count; ++i) index[i] = static_cast<float>(i);
    return Batch<float>::load_unaligned(index) < Batch<float>(static_cast<float>(count));
  }
  static Flags<float> load(bool const* from) { return Flags<float>::load_unaligned(from); }
  static void store(Flags<float> flags, bool* to) { flags.store_unaligned(to); }

  /// The part of the flags of all lanes that part `p` of a dtype of twice the width covers.
  template <class T>
  static Flags<T> part(Flags<float> flags, int p) {
    bool buffer[lane_count];
    flags.store_unaligned(buffer);
    return Flags<T>::load_unaligned(buffer + p * width<T>);
  }
  /// The flags of all lanes, combined from those of the two parts of a dtype of twice the width.
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    bool buffer[lane_count];
    low.store_unaligned(buffer);
    high.store_unaligned(buffer + width<T>);
    return Flags<float>::load_unaligned(buffer);
  }

  /// Numbers of 16 bits, each in the lower half of its lane.
  static Batch<Word> load_words(std::uint16_t const* from) {
    Word wide[lane_count];
    for (int i = 0; i < lane_count; ++i) wide[i] = from[i];
    return Batch<Word>::load_unaligned(wide);
  }
  static void store_words(Batch<Word> words, std::uint16_t* to) {
    Word wide[lane_count];
    words.store_unaligned(wide);
    for (int i = 0; i < lane_count; ++i) to[i] = static_cast<std::uint16_t>(wide[i]);
  }
  static void store_words_past_caches(Batch<Word> words, std::uint16_t* to) {
    store_words(words, to);
  }

  /// Conversions from binary16 numbers to float, and to the nearest binary16 number.
  static Batch<float> from_half(Batch<Word> words) {
    float values[lane_count];
    std::uint16_t from[lane_count];
    store_words(words, from);
    for (int i = 0; i < lane_count; ++i) values[i] = half_value(from[i]);
    return Batch<float>::load_unaligned(values);
  }
  static Batch<Word> to_half(Batch<float> x) {
    float values[lane_count];
    std::uint16_t to[lane_count];
    x.store_unaligned(values);
    for (int i = 0; i < lane_count; ++i) to[i] = half_bits(values[i]);
    return load_words(to);
  }

  /// The two halves as doubles.
  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    float buffer[lane_count];
    double wide[lane_count];
    x.store_unaligned(buffer);
    for (int i = 0; i < lane_count; ++i) wide[i] = buffer[i];
    for (int p = 0; p < 2; ++p) to[p] = Batch<double>::load_unaligned(wide + p * width<double>);
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    double buffer[lane_count];
    float narrow[lane_count];
    low.store_unaligned(buffer);
    high.store_unaligned(buffer + width<double>);
    for (int i = 0; i < lane_count; ++i) narrow[i] = static_cast<float>(buffer[i]);
    return Batch<float>::load_unaligned(narrow);
  }
};

/// A target with an instruction for floor, which preserves the sign of -0.
struct Flooring : Generic {
  template <class T>
  static Batch<T> floor(Batch<T> x) {
    return simd::floor(x);
  }
};

}  // namespace tenon::internal::simd
