#pragma once

#include <tenon/backend/cpu/simd/intrinsics.hpp>
#include <tenon/core/config.hpp>

#if !TENON_USES_XSIMD

#include <cstddef>
#include <cstdint>
#include <string_view>

// Calls of these functions take operands whose types depend on no template parameter: they are
// static, and clang 19 does not find them otherwise if a program imports Tenon as a module.

/// Registers of x86-64, and the instructions for which vector extensions of g++ and clang have no
/// operator.
namespace tenon::internal::simd {

template <class T>
struct NativeRegister;

#if defined(__AVX512F__)

inline constexpr std::size_t native_bytes = 64;
inline constexpr std::string_view native_name =
#if defined(__AVX512BW__)
    "avx512bw";
#elif defined(__AVX512DQ__)
    "avx512dq";
#elif defined(__AVX512CD__)
    "avx512cd";
#else
    "avx512f";
#endif

template <>
struct NativeRegister<float> {
  using type = __m512;
  static type(min)(type a, type b) { return _mm512_min_ps(a, b); }
  static type(max)(type a, type b) { return _mm512_max_ps(a, b); }
  static type sqrt(type x) { return _mm512_sqrt_ps(x); }
  static type floor(type x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF); }
  static type nearbyint(type x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT); }
  static __m512i to_int(type x) { return _mm512_cvttps_epi32(x); }
  static type to_float(__m512i x) { return _mm512_cvtepi32_ps(x); }
  static __mmask16 less(type a, type b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  static __mmask16 at_most(type a, type b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
  static __mmask16 equal(type a, type b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
};
template <>
struct NativeRegister<double> {
  using type = __m512d;
  static type(min)(type a, type b) { return _mm512_min_pd(a, b); }
  static type(max)(type a, type b) { return _mm512_max_pd(a, b); }
  static type sqrt(type x) { return _mm512_sqrt_pd(x); }
  static type floor(type x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_NEG_INF); }
  static type nearbyint(type x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_NEAREST_INT); }
  static __mmask8 less(type a, type b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
  static __mmask8 at_most(type a, type b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
  static __mmask8 equal(type a, type b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
};

struct NativeIntegers {
  using type = __m512i;
};
template <>
struct NativeRegister<std::int32_t> : NativeIntegers {
  static __mmask16 less(type a, type b) { return _mm512_cmplt_epi32_mask(a, b); }
  static __mmask16 at_most(type a, type b) { return _mm512_cmple_epi32_mask(a, b); }
  static __mmask16 equal(type a, type b) { return _mm512_cmpeq_epi32_mask(a, b); }
};
template <>
struct NativeRegister<std::uint32_t> : NativeIntegers {
  static __mmask16 less(type a, type b) { return _mm512_cmplt_epu32_mask(a, b); }
  static __mmask16 at_most(type a, type b) { return _mm512_cmple_epu32_mask(a, b); }
  static __mmask16 equal(type a, type b) { return _mm512_cmpeq_epu32_mask(a, b); }
};
template <>
struct NativeRegister<std::int64_t> : NativeIntegers {
  static __mmask8 less(type a, type b) { return _mm512_cmplt_epi64_mask(a, b); }
  static __mmask8 at_most(type a, type b) { return _mm512_cmple_epi64_mask(a, b); }
  static __mmask8 equal(type a, type b) { return _mm512_cmpeq_epi64_mask(a, b); }
};
template <>
struct NativeRegister<std::uint64_t> : NativeIntegers {
  static __mmask8 less(type a, type b) { return _mm512_cmplt_epu64_mask(a, b); }
  static __mmask8 at_most(type a, type b) { return _mm512_cmple_epu64_mask(a, b); }
  static __mmask8 equal(type a, type b) { return _mm512_cmpeq_epu64_mask(a, b); }
};

#elif defined(__AVX2__)

inline constexpr std::size_t native_bytes = 32;
#if defined(__FMA__)
inline constexpr std::string_view native_name = "fma3+avx2";
#else
inline constexpr std::string_view native_name = "avx2";
#endif

template <>
struct NativeRegister<float> {
  using type = __m256;
  static type(min)(type a, type b) { return _mm256_min_ps(a, b); }
  static type(max)(type a, type b) { return _mm256_max_ps(a, b); }
  static type sqrt(type x) { return _mm256_sqrt_ps(x); }
  static type floor(type x) { return _mm256_floor_ps(x); }
  static type nearbyint(type x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT); }
  static __m256i to_int(type x) { return _mm256_cvttps_epi32(x); }
  static type to_float(__m256i x) { return _mm256_cvtepi32_ps(x); }
  static int signs(type x) { return _mm256_movemask_ps(x); }
};
template <>
struct NativeRegister<double> {
  using type = __m256d;
  static type(min)(type a, type b) { return _mm256_min_pd(a, b); }
  static type(max)(type a, type b) { return _mm256_max_pd(a, b); }
  static type sqrt(type x) { return _mm256_sqrt_pd(x); }
  static type floor(type x) { return _mm256_floor_pd(x); }
  static type nearbyint(type x) { return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT); }
};
struct NativeIntegers {
  using type = __m256i;
};

#else

inline constexpr std::size_t native_bytes = 16;
#if defined(__SSE4_1__)
inline constexpr std::string_view native_name = "sse4";
#else
inline constexpr std::string_view native_name = "sse2";
#endif

template <>
struct NativeRegister<float> {
  using type = __m128;
  static type(min)(type a, type b) { return _mm_min_ps(a, b); }
  static type(max)(type a, type b) { return _mm_max_ps(a, b); }
  static type sqrt(type x) { return _mm_sqrt_ps(x); }
  static __m128i to_int(type x) { return _mm_cvttps_epi32(x); }
  static type to_float(__m128i x) { return _mm_cvtepi32_ps(x); }
  static int signs(type x) { return _mm_movemask_ps(x); }
#if defined(__SSE4_1__)
  static type floor(type x) { return _mm_floor_ps(x); }
  static type nearbyint(type x) { return _mm_round_ps(x, _MM_FROUND_TO_NEAREST_INT); }
#endif
};
template <>
struct NativeRegister<double> {
  using type = __m128d;
  static type(min)(type a, type b) { return _mm_min_pd(a, b); }
  static type(max)(type a, type b) { return _mm_max_pd(a, b); }
  static type sqrt(type x) { return _mm_sqrt_pd(x); }
#if defined(__SSE4_1__)
  static type floor(type x) { return _mm_floor_pd(x); }
  static type nearbyint(type x) { return _mm_round_pd(x, _MM_FROUND_TO_NEAREST_INT); }
#endif
};
struct NativeIntegers {
  using type = __m128i;
};

#endif

#if !defined(__AVX512F__)
template <>
struct NativeRegister<std::int32_t> : NativeIntegers {};
template <>
struct NativeRegister<std::uint32_t> : NativeIntegers {};
template <>
struct NativeRegister<std::int64_t> : NativeIntegers {};
template <>
struct NativeRegister<std::uint64_t> : NativeIntegers {};
#endif

}  // namespace tenon::internal::simd

#endif
