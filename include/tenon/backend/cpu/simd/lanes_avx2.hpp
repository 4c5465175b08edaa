#pragma once

#include <tenon/backend/cpu/simd/lanes_generic.hpp>

#if defined(__AVX2__) && !defined(__AVX512F__)

namespace tenon::internal::simd {

/// AVX2: a mask is a register of all-ones and zeros; a mask of doubles is twice as wide.
struct Avx2 : Flooring {
  using Generic::load;
  using Generic::not_equal;
  using Generic::store;

  template <class T>
  static __m256i bits(Batch<T> x) {
    return std::bit_cast<__m256i>(static_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static Batch<T> from_bits(__m256i x) {
    return Batch<T>(std::bit_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static Flags<T> flags(__m256i x) {
    return Flags<T>(std::bit_cast<typename Flags<T>::register_type>(x));
  }
  template <class T>
  static __m256i flag_bits(Flags<T> x) {
    return std::bit_cast<__m256i>(static_cast<typename Flags<T>::register_type>(x));
  }

#ifdef __FMA__  // xsimd 14 does not fuse on AVX-VNNI
  static Batch<float> fma(Batch<float> x, Batch<float> y, Batch<float> z) {
    return Batch<float>(_mm256_fmadd_ps(x, y, z));
  }
  static Batch<double> fma(Batch<double> x, Batch<double> y, Batch<double> z) {
    return Batch<double>(_mm256_fmadd_pd(x, y, z));
  }
#endif

  static Flags<float> not_equal(Batch<float> a, Batch<float> b) {
    return Flags<float>(_mm256_cmp_ps(a, b, _CMP_NEQ_UQ));
  }
  static Flags<double> not_equal(Batch<double> a, Batch<double> b) {
    return Flags<double>(_mm256_cmp_pd(a, b, _CMP_NEQ_UQ));
  }

  static Batch<float> clamp(Batch<float> x, Batch<float> low, Batch<float> high) {
    return Batch<float>(_mm256_min_ps(high, _mm256_max_ps(low, x)));  // NaN gives the second
  }
  static Batch<double> clamp(Batch<double> x, Batch<double> low, Batch<double> high) {
    return Batch<double>(_mm256_min_pd(high, _mm256_max_pd(low, x)));
  }

  static Batch<Word> multiply_high(Batch<Word> a, Batch<Word> b) {
    __m256i const even = _mm256_srli_epi64(_mm256_mul_epu32(a, b), 32);
    __m256i const odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    return Batch<Word>(_mm256_blend_epi32(even, odd, 0xAA));
  }

  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    __m256i const b = bits(x);
    if constexpr (bytes == 16) return from_bits<T>(_mm256_permute2x128_si256(b, b, 1));
    if constexpr (bytes == 8) return from_bits<T>(_mm256_shuffle_epi32(b, 0b01001110));
    if constexpr (bytes == 4) return from_bits<T>(_mm256_shuffle_epi32(b, 0b10110001));
  }

  static constexpr bool stores_past_caches = true;
  template <class T>
  static void store_past_caches(Batch<T> x, T* to) {
    __m256i const all = bits(x);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), all);
  }
  static void finish_past_caches() { _mm_sfence(); }

  static Flags<float> load(bool const* from) {
    __m256i const wide =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(from)));
    return flags<float>(_mm256_cmpgt_epi32(wide, _mm256_setzero_si256()));
  }
  static void store(Flags<float> mask, bool* to) {
    __m256i const ones = _mm256_srli_epi32(flag_bits(mask), 31);
    __m128i const low = _mm256_castsi256_si128(ones), high = _mm256_extracti128_si256(ones, 1);
    __m128i const words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(words, words));
  }
  template <class T>
  static Flags<T> part(Flags<float> mask, int p) {
    __m256i const b = flag_bits(mask);
    __m128i const half = p == 0 ? _mm256_castsi256_si128(b) : _mm256_extracti128_si256(b, 1);
    return flags<T>(_mm256_cvtepi32_epi64(half));
  }
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    __m256i const first = flag_bits(low), second = flag_bits(high);
    __m256 const a = _mm256_castsi256_ps(first), b = _mm256_castsi256_ps(second);
    __m256d const even = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0b10001000));
    return Flags<float>(_mm256_castpd_ps(_mm256_permute4x64_pd(even, 0b11011000)));
  }

  static __m128i packed(Batch<Word> words) {
    __m256i const b = bits(words);
    return _mm_packus_epi32(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));
  }
  static Batch<Word> load_words(std::uint16_t const* from) {
    return Batch<Word>(
        _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from))));
  }
  static void store_words(Batch<Word> words, std::uint16_t* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), packed(words));
  }
  static void store_words_past_caches(Batch<Word> words, std::uint16_t* to) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), packed(words));
  }
#ifdef __F16C__
  static Batch<float> from_half(Batch<Word> words) {
    return Batch<float>(_mm256_cvtph_ps(packed(words)));
  }
  static Batch<Word> to_half(Batch<float> x) {
    return Batch<Word>(_mm256_cvtepu16_epi32(_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT)));
  }
#endif

  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    to[0] = Batch<double>(_mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    to[1] = Batch<double>(_mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    return Batch<float>(_mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)));
  }
};

}  // namespace tenon::internal::simd

#endif
