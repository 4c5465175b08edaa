#pragma once

#include <tenon/backend/cpu/simd/lanes_wide.hpp>

/// Lanes of the 16-bit dtypes. They are loaded, cast and stored; arithmetic is done in `float`.
namespace tenon::internal {

namespace simd {

using Words = Batch<std::uint32_t>;

inline Words bits_of(Batch<float> x) { return bits_as<std::uint32_t>(x); }
inline Batch<float> value_of(Words x) { return bits_as<float>(x); }

/// Quiets NaN and keeps its sign: the only NaN that rounding produces.
inline Batch<float> with_one_nan(Batch<float> x) {
  Words const nan = (bits_of(x) & Words(0x80000000u)) | Words(0x7fc00000u);
  return Native::select(x == x, x, value_of(nan));
}

/// The conversions of a 16-bit dtype, whose bits are in the lower half of each 32-bit lane: lane by
/// lane here, and by vector instructions for the dtypes below.
template <HalfType T>
struct HalfWords {
  static Batch<float> widened(Words words) {
    float to[lane_count];
    for (std::size_t i = 0; i < lane_count; ++i)
      to[i] = static_cast<float>(T::from_bits(static_cast<std::uint16_t>(words.get(i))));
    return Lanes<float>::load(to).part[0];
  }
  static Words rounded(Batch<float> x) {
    std::uint32_t to[lane_count];
    for (std::size_t i = 0; i < lane_count; ++i) to[i] = T(x.get(i)).bits;
    return Lanes<std::uint32_t>::load(to).part[0];
  }
};
template <>
struct HalfWords<bfloat16> {
  static Batch<float> widened(Words words) { return value_of(words << 16); }
  static Words rounded(Batch<float> x) {
    Words const bits = bits_of(with_one_nan(x));
    return (bits + Words(0x7fffu) + ((bits >> 16) & Words(1u))) >> 16;
  }
};
template <>
struct HalfWords<float16> {
  static Batch<float> widened(Words words) { return Native::from_half(words); }
  static Words rounded(Batch<float> x) { return Native::to_half(with_one_nan(x)); }
};

}  // namespace simd

template <HalfType T>
struct Lanes<T> {
  using value_type = T;
  simd::Words words;

  Lanes() = default;
  Lanes(T value) : words(value.bits) {}
  explicit Lanes(simd::Words w) : words(w) {}

  static Lanes load(T const* from) { return Lanes(simd::Native::load_words(&from->bits)); }
  static Lanes load(T const* from, int count) {
    T buffer[lane_count];
    int const last = count > 1 ? count - 1 : 0;  // g++ 12 warns of -1, which does not occur
    for (int i = 0; i < lane_count; ++i) buffer[i] = from[i < last ? i : last];
    return load(buffer);
  }
  void store(T* to) const { simd::Native::store_words(words, &to->bits); }
  void store(T* to, int count) const {
    T buffer[lane_count];
    store(buffer);
    for (int i = 0; i < lane_count && i < count; ++i) to[i] = buffer[i];
  }
  void store_past_caches(T* to) const { simd::Native::store_words_past_caches(words, &to->bits); }
  T lane(int i) const {
    return T::from_bits(static_cast<std::uint16_t>(words.get(static_cast<std::size_t>(i))));
  }
  friend Lanes select(Lanes<bool> mask, Lanes yes, Lanes no) {
    auto const flags = simd::part_of<std::uint32_t>(mask, 0);
    return Lanes(simd::Native::select(flags, yes.words, no.words));
  }
};

}  // namespace tenon::internal
