#pragma once

#include <cstring>

#include <tenon/backend/cpu/simd/lanes_machine.hpp>
#include <tenon/core/dtype.hpp>

/// Widening of integers, one register at a time.
namespace tenon::internal::simd {

/// Integers without a register of `lane_count` elements: those of 8 and 16 bits.
template <class T>
concept SmallInteger = IntegerType<T> && sizeof(T) <= 2;

template <class T>
concept Integer32 = std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t>;

/// The 64-bit integer of the same signedness.
template <class T>
using As64 = std::conditional_t<IntType<T>, std::int64_t, std::uint64_t>;

#if defined(__AVX512F__)

TENON_INLINE inline Batch<std::int32_t> widened(std::uint8_t const* from) {
  return Batch<std::int32_t>(
      _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from))));
}
TENON_INLINE inline Batch<std::int32_t> widened(std::int8_t const* from) {
  return Batch<std::int32_t>(
      _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from))));
}
TENON_INLINE inline Batch<std::int32_t> widened(std::uint16_t const* from) {
  return Batch<std::int32_t>(
      _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(from))));
}
TENON_INLINE inline Batch<std::int32_t> widened(std::int16_t const* from) {
  return Batch<std::int32_t>(
      _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(from))));
}

template <Integer32 T>
TENON_INLINE inline void widened(Batch<T> x, Batch<As64<T>> (&to)[2]) {
  __m512i const all = Native::bits(x);
  __m256i const half[2]{_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1)};
  for (int p = 0; p < 2; ++p) {
    to[p] = Batch<As64<T>>(IntType<T> ? _mm512_cvtepi32_epi64(half[p])
                                      : _mm512_cvtepu32_epi64(half[p]));
  }
}

#elif defined(__AVX2__)

TENON_INLINE inline Batch<std::int32_t> widened(std::uint8_t const* from) {
  return Batch<std::int32_t>(
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(from))));
}
TENON_INLINE inline Batch<std::int32_t> widened(std::int8_t const* from) {
  return Batch<std::int32_t>(
      _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(from))));
}
TENON_INLINE inline Batch<std::int32_t> widened(std::uint16_t const* from) {
  return Batch<std::int32_t>(
      _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from))));
}
TENON_INLINE inline Batch<std::int32_t> widened(std::int16_t const* from) {
  return Batch<std::int32_t>(
      _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from))));
}

template <Integer32 T>
TENON_INLINE inline void widened(Batch<T> x, Batch<As64<T>> (&to)[2]) {
  __m256i const all = Native::bits(x);
  __m128i const half[2]{_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1)};
  for (int p = 0; p < 2; ++p) {
    to[p] = Batch<As64<T>>(IntType<T> ? _mm256_cvtepi32_epi64(half[p])
                                      : _mm256_cvtepu32_epi64(half[p]));
  }
}

#elif defined(__SSE2__) && !defined(__AVX__)

/// (In the upper part of each lane, and shifted down.)
template <SmallInteger T>
TENON_INLINE inline Batch<std::int32_t> widened(T const* from) {
  std::int64_t bytes = 0;
  std::memcpy(&bytes, from, lane_count * sizeof(T));
  __m128i x = _mm_cvtsi64_si128(bytes);
  if constexpr (sizeof(T) == 1) x = _mm_unpacklo_epi8(_mm_setzero_si128(), x);
  x = _mm_unpacklo_epi16(_mm_setzero_si128(), x);
  constexpr int down = 32 - 8 * static_cast<int>(sizeof(T));
  return Batch<std::int32_t>(IntType<T> ? _mm_srai_epi32(x, down) : _mm_srli_epi32(x, down));
}

template <Integer32 T>
TENON_INLINE inline void widened(Batch<T> x, Batch<As64<T>> (&to)[2]) {
  __m128i const zero = _mm_setzero_si128(), all = x;
  __m128i const upper = IntType<T> ? _mm_cmpgt_epi32(zero, all) : zero;
  to[0] = Batch<As64<T>>(_mm_unpacklo_epi32(all, upper));
  to[1] = Batch<As64<T>>(_mm_unpackhi_epi32(all, upper));
}

#else

/// `lane_count` integers from memory.
template <SmallInteger T>
TENON_INLINE inline Batch<std::int32_t> widened(T const* from) {
  std::int32_t wide[lane_count];
  for (int i = 0; i < lane_count; ++i) wide[i] = from[i];
  return Batch<std::int32_t>::load_unaligned(wide);
}

/// The two halves.
template <Integer32 T>
TENON_INLINE inline void widened(Batch<T> x, Batch<As64<T>> (&to)[2]) {
  T buffer[lane_count];
  As64<T> wide[lane_count];
  x.store_unaligned(buffer);
  for (int i = 0; i < lane_count; ++i) wide[i] = buffer[i];
  for (int p = 0; p < 2; ++p) to[p] = Batch<As64<T>>::load_unaligned(wide + p * width<As64<T>>);
}

#endif

}  // namespace tenon::internal::simd
