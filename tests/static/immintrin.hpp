#pragma once

// Functions by intrinsics that Tenon does not include, compiled for their own instructions.

#include <cstdint>

#if defined(__x86_64__)
namespace immintrin {

[[gnu::target("bmi2")]] inline std::uint32_t deposit(std::uint32_t bits, std::uint32_t mask) {
  return _pdep_u32(bits, mask);
}
[[gnu::target("avx2")]] inline __m256i sum(__m256i a, __m256i b) { return _mm256_add_epi32(a, b); }
[[gnu::target("avx512f,avx512vl")]] inline __m256i absolute(__m256i a) {
  return _mm256_abs_epi64(a);
}
[[gnu::target("avx512f,avx512bw")]] inline __m512i sum(__m512i a, __m512i b) {
  return _mm512_add_epi16(a, b);
}

}  // namespace immintrin
#endif
