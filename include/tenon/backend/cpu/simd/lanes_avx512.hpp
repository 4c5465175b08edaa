#pragma once

#include <tenon/backend/cpu/simd/lanes_generic.hpp>

#ifdef __AVX512F__

namespace tenon::internal::simd {

/// AVX-512: masks are integers, and most intrinsics are instructions. (xsimd 8.1 has no fma for it:
/// it multiplies and adds.)
struct Avx512 : Flooring {
  static Batch<float> fma(Batch<float> x, Batch<float> y, Batch<float> z) {
    return Batch<float>(_mm512_fmadd_ps(x, y, z));
  }
  static Batch<double> fma(Batch<double> x, Batch<double> y, Batch<double> z) {
    return Batch<double>(_mm512_fmadd_pd(x, y, z));
  }

  static Batch<float> at_most(Batch<float> x, Batch<float> high) {
    return Batch<float>(_mm512_min_ps(high, x));  // NaN gives the second
  }
  static Batch<float> at_least(Batch<float> x, Batch<float> low) {
    return Batch<float>(_mm512_max_ps(low, x));
  }
  using Generic::not_equal;
  static Flags<float> not_equal(Batch<float> a, Batch<float> b) {
    return Flags<float>(_mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ));
  }
  static Flags<double> not_equal(Batch<double> a, Batch<double> b) {
    return Flags<double>(_mm512_cmp_pd_mask(a, b, _CMP_NEQ_UQ));
  }

  /// The running mask, and neither is NaN: one instruction.
  static __mmask16 ordered(__mmask16 so_far, Batch<float> a, Batch<float> b) {
    return _mm512_mask_cmp_ps_mask(so_far, a, b, _CMP_ORD_Q);
  }
  static __mmask8 ordered(__mmask8 so_far, Batch<double> a, Batch<double> b) {
    return _mm512_mask_cmp_pd_mask(so_far, a, b, _CMP_ORD_Q);
  }

  static Batch<float> scale(Batch<float> x, Batch<float> n) {
    return Batch<float>(_mm512_scalef_ps(x, n));
  }
  static Batch<double> scale(Batch<double> x, Batch<double> n) {
    return Batch<double>(_mm512_scalef_pd(x, n));
  }
  static Batch<float> exponent(Batch<float> x) { return Batch<float>(_mm512_getexp_ps(x)); }
  static Batch<double> exponent(Batch<double> x) { return Batch<double>(_mm512_getexp_pd(x)); }
  static Batch<float> mantissa(Batch<float> x) {
    return Batch<float>(_mm512_getmant_ps(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero));
  }
  static Batch<double> mantissa(Batch<double> x) {
    return Batch<double>(_mm512_getmant_pd(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero));
  }

  /// A lookup among sixteen numbers by the lowest four bits.
  static Batch<float> looked_up(Batch<Word> place, float const* numbers) {
    return Batch<float>(_mm512_permutexvar_ps(place, _mm512_loadu_ps(numbers)));
  }

#ifdef __AVX512DQ__  // `range` orders the zeros, but prefers a number to NaN
  static Batch<float> bounded(Batch<float> x, Batch<float> limit) {  // the one of smaller magnitude
    return Batch<float>(_mm512_range_ps(x, limit, 0b0110));
  }
  static Batch<float> maximum_number(Batch<float> a, Batch<float> b) {
    return Batch<float>(_mm512_range_ps(a, b, 0b0101));
  }
  static Batch<float> maximum(Batch<float> a, Batch<float> b) {
    __mmask16 const nan = _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
    return Batch<float>(_mm512_mask_add_ps(maximum_number(a, b), nan, a, b));
  }
  static Batch<float> minimum_number(Batch<float> a, Batch<float> b) {
    return Batch<float>(_mm512_range_ps(a, b, 0b0100));
  }
  static Batch<float> minimum(Batch<float> a, Batch<float> b) {
    __mmask16 const nan = _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
    return Batch<float>(_mm512_mask_add_ps(minimum_number(a, b), nan, a, b));
  }
  static Batch<double> maximum_number(Batch<double> a, Batch<double> b) {
    return Batch<double>(_mm512_range_pd(a, b, 0b0101));
  }
  static Batch<double> maximum(Batch<double> a, Batch<double> b) {
    __mmask8 const nan = _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q);
    return Batch<double>(_mm512_mask_add_pd(maximum_number(a, b), nan, a, b));
  }
  static Batch<double> minimum_number(Batch<double> a, Batch<double> b) {
    return Batch<double>(_mm512_range_pd(a, b, 0b0100));
  }
  static Batch<double> minimum(Batch<double> a, Batch<double> b) {
    __mmask8 const nan = _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q);
    return Batch<double>(_mm512_mask_add_pd(minimum_number(a, b), nan, a, b));
  }
#endif

  template <class T>
  static __m512i bits(Batch<T> x) {
    return std::bit_cast<__m512i>(static_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static Batch<T> from_bits(__m512i x) {
    return Batch<T>(std::bit_cast<typename Batch<T>::register_type>(x));
  }

  /// One instruction: the sign bit of one operand with the other bits of the other.
  template <class T>
  static Batch<T> copysign(Batch<T> magnitude, Batch<T> sign) {
    __m512i const bit = bits(Batch<T>(T(-0.0)));
    return from_bits<T>(_mm512_ternarylogic_epi64(bit, bits(sign), bits(magnitude), 0xca));
  }

  /// (xsimd 8.1's for integers does not compile with g++ -O0, where intrinsics are macros.)
  template <class T>
  static Batch<T> select(Flags<T> flags, Batch<T> yes, Batch<T> no) {
    __m512i const a = bits(no), b = bits(yes);
    if constexpr (sizeof(T) == 4)
      return from_bits<T>(_mm512_mask_blend_epi32(static_cast<__mmask16>(flags), a, b));
    else return from_bits<T>(_mm512_mask_blend_epi64(static_cast<__mmask8>(flags), a, b));
  }

  static Batch<float> clamp(Batch<float> x, Batch<float> low, Batch<float> high) {
    return Batch<float>(_mm512_min_ps(high, _mm512_max_ps(low, x)));  // NaN gives the second
  }
  static Batch<double> clamp(Batch<double> x, Batch<double> low, Batch<double> high) {
    return Batch<double>(_mm512_min_pd(high, _mm512_max_pd(low, x)));
  }

  static Batch<Word> multiply_high(Batch<Word> a, Batch<Word> b) {
    __m512i const even = _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32);
    __m512i const odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
    return Batch<Word>(_mm512_mask_mov_epi32(even, 0xAAAA, odd));
  }

  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    constexpr int swapped = 0b01001110, neighbours = 0b10110001;
    __m512i const b = bits(x);
    if constexpr (bytes == 32) return from_bits<T>(_mm512_shuffle_i64x2(b, b, swapped));
    if constexpr (bytes == 16) return from_bits<T>(_mm512_shuffle_i64x2(b, b, neighbours));
    if constexpr (bytes == 8) return from_bits<T>(_mm512_shuffle_epi32(b, _MM_PERM_BADC));
    if constexpr (bytes == 4) return from_bits<T>(_mm512_shuffle_epi32(b, _MM_PERM_CDAB));
  }

  /// For every 2 `step` lanes: the first half of x followed by that of y; and the second halves.
  /// One intrinsic each, instead of `exchanged` and `select`.
  template <int step, class T>
  static Batch<T> first_halves(Batch<T> x, Batch<T> y) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    __m512i const a = bits(x), b = bits(y);
    if constexpr (bytes == 32) return from_bits<T>(_mm512_shuffle_i64x2(a, b, 0x44));
    if constexpr (bytes == 16)
      return from_bits<T>(_mm512_mask_shuffle_i64x2(a, 0xCC, b, b, 0b10110001));
    if constexpr (bytes == 8) return from_bits<T>(_mm512_unpacklo_epi64(a, b));
    if constexpr (bytes == 4)
      return from_bits<T>(_mm512_mask_shuffle_epi32(a, 0xAAAA, b, _MM_PERM_CDAB));
  }
  template <int step, class T>
  static Batch<T> second_halves(Batch<T> x, Batch<T> y) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    __m512i const a = bits(x), b = bits(y);
    if constexpr (bytes == 32) return from_bits<T>(_mm512_shuffle_i64x2(a, b, 0xEE));
    if constexpr (bytes == 16)
      return from_bits<T>(_mm512_mask_shuffle_i64x2(b, 0x33, a, a, 0b10110001));
    if constexpr (bytes == 8) return from_bits<T>(_mm512_unpackhi_epi64(a, b));
    if constexpr (bytes == 4)
      return from_bits<T>(_mm512_mask_shuffle_epi32(b, 0x5555, a, _MM_PERM_CDAB));
  }

  static __mmask16 first(int count) {
    return static_cast<__mmask16>((1u << (count < 0 ? 0 : count > 16 ? 16 : count)) - 1u);
  }
  template <class T>
  static Batch<T> load(T const* from, int count, T last) {
    __m512i const rest = bits(Batch<T>(last));
    __mmask16 const mask = first(count);
    void const* const begin = from;
    if constexpr (sizeof(T) == 4) return from_bits<T>(_mm512_mask_loadu_epi32(rest, mask, begin));
    else return from_bits<T>(_mm512_mask_loadu_epi64(rest, static_cast<__mmask8>(mask), begin));
  }
  template <class T>
  static void store(Batch<T> x, T* to, int count) {
    __m512i const all = bits(x);
    if constexpr (sizeof(T) == 4)
      _mm512_mask_storeu_epi32(static_cast<void*>(to), first(count), all);
    else _mm512_mask_storeu_epi64(static_cast<void*>(to), static_cast<__mmask8>(first(count)), all);
  }

  static constexpr bool stores_past_caches = true;
  template <class T>
  static void store_past_caches(Batch<T> x, T* to) {
    __m512i const all = bits(x);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), all);
  }
  static void finish_past_caches() { _mm_sfence(); }

  static Flags<float> first_flags(int count) { return Flags<float>(first(count)); }
  static Flags<float> load(bool const* from) {
    __m512i const wide =
        _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from)));
    return Flags<float>(_mm512_test_epi32_mask(wide, wide));
  }
  static void store(Flags<float> flags, bool* to) {
    __m128i const bytes = _mm512_cvtepi32_epi8(_mm512_maskz_set1_epi32(flags, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  }
  template <class T>
  static Flags<T> part(Flags<float> flags, int p) {
    return Flags<T>(static_cast<__mmask8>(static_cast<__mmask16>(flags) >> (8 * p)));
  }
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    unsigned const upper = static_cast<__mmask8>(high);
    return Flags<float>(static_cast<__mmask16>(static_cast<__mmask8>(low) | (upper << 8)));
  }

  static Batch<Word> load_words(std::uint16_t const* from) {
    auto const* const words = reinterpret_cast<__m256i const*>(from);
    return Batch<Word>(_mm512_cvtepu16_epi32(_mm256_loadu_si256(words)));
  }
  static void store_words(Batch<Word> words, std::uint16_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(words));
  }
  static void store_words_past_caches(Batch<Word> words, std::uint16_t* to) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(words));
  }
  static Batch<float> from_half(Batch<Word> words) {
    return Batch<float>(_mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)));
  }
  static Batch<Word> to_half(Batch<float> x) {
    return Batch<Word>(_mm512_cvtepu16_epi32(_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT)));
  }

  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    __m512d const both = std::bit_cast<__m512d>(bits(x));
    to[0] = Batch<double>(_mm512_cvtps_pd(_mm512_castps512_ps256(x)));
    to[1] = Batch<double>(_mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(both, 1))));
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    __m256d const upper = _mm256_castps_pd(_mm512_cvtpd_ps(high));
    __m512d const lower = _mm512_castpd256_pd512(_mm256_castps_pd(_mm512_cvtpd_ps(low)));
    return from_bits<float>(std::bit_cast<__m512i>(_mm512_insertf64x4(lower, upper, 1)));
  }
};

}  // namespace tenon::internal::simd

#endif
