#pragma once

#include <tenon/backend/cpu/simd/lanes_generic.hpp>

#if defined(__SSE2__) && !defined(__AVX__)

namespace tenon::internal::simd {

/// SSE2, the baseline of x86-64.
struct Sse2 : Generic {
  template <class T>
  static Batch<T> from_bits(__m128i x) {
    return Batch<T>(std::bit_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static __m128 flag_bits(Flags<T> x) {
    return std::bit_cast<__m128>(static_cast<typename Flags<T>::register_type>(x));
  }
  template <class T>
  static Flags<T> flags(__m128 x) {
    return Flags<T>(std::bit_cast<typename Flags<T>::register_type>(x));
  }

  static constexpr bool stores_past_caches = true;
  template <class T>
  static void store_past_caches(Batch<T> x, T* to) {
    __m128i const all = std::bit_cast<__m128i>(static_cast<typename Batch<T>::register_type>(x));
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), all);
  }
  static void finish_past_caches() { _mm_sfence(); }

  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    auto const b = std::bit_cast<__m128i>(static_cast<typename Batch<T>::register_type>(x));
    if constexpr (bytes == 8) return from_bits<T>(_mm_shuffle_epi32(b, 0b01001110));
    if constexpr (bytes == 4) return from_bits<T>(_mm_shuffle_epi32(b, 0b10110001));
  }

  template <class T>
  static Flags<T> part(Flags<float> mask, int p) {
    __m128 const b = flag_bits(mask);
    return flags<T>(p == 0 ? _mm_unpacklo_ps(b, b) : _mm_unpackhi_ps(b, b));
  }
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    return Flags<float>(_mm_shuffle_ps(flag_bits(low), flag_bits(high), 0b10001000));
  }

  static Batch<Word> load_words(std::uint16_t const* from) {
    __m128i const words = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(from));
    return Batch<Word>(_mm_unpacklo_epi16(words, _mm_setzero_si128()));
  }
  static void store_words(Batch<Word> words, std::uint16_t* to) {
    __m128i const signs = _mm_srai_epi32(_mm_slli_epi32(words, 16), 16);  // so that none saturates
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi32(signs, signs));
  }

  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    to[0] = Batch<double>(_mm_cvtps_pd(x));
    to[1] = Batch<double>(_mm_cvtps_pd(_mm_movehl_ps(x, x)));
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    return Batch<float>(_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)));
  }
};

}  // namespace tenon::internal::simd

#endif
