#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tenon/backend/cpu/matmul/bf16_dot_place.hpp>
#include <tenon/backend/cpu/simd/lanes_machine.hpp>

/// Dot products of pairs in lanes: `vdpbf16ps`, which adds the products of two pairs to each of
/// sixteen sums. Like tile registers it flushes numbers below 1.2e-38 to zero.
namespace tenon::internal::simd {

// clang 16 does not terminate on these at -O1 and higher, and its sums with sanitizers were wrong:
// with clang, tiles or floats are used.
#if defined(__AVX512BF16__) && defined(__AVX512F__) && !defined(__clang__)

struct PairDots {
  static constexpr bool is_compiled = true;

  template <bool tall, bool wide>
  [[gnu::noinline]] static void multiply(PairPlace const& at) {
    for (int i = 0; i < (tall ? 2 : 1) * Pairs::lines; i += rows)
      add_rows<wide ? 2 : 1>(at.a + i * at.a_row, at.c + i * at.c_row, at);
  }

 private:
  static constexpr int rows = 8;

  template <int vectors>
  using Sums = __m512[rows][std::size_t{vectors}];

  /// Eight rows of the result by one or two registers, as in `TileShape`.
  template <int vectors>
  TENON_INLINE static void add_rows(bfloat16 const* a, float* c, PairPlace const& at) {
    bfloat16 const* b = at.b;
    Sums<vectors> sum;
    each<vectors>([&](int i, int v) {
      sum[i][v] = at.accumulate ? _mm512_loadu_ps(c + i * at.c_row + v * 16) : _mm512_setzero_ps();
    });
    for (std::int64_t p = 0; p < at.squares; ++p, a += at.a_square, b += vectors * Pairs::square)
      for (int q = 0; q < Pairs::lines; ++q)
        add_pair<vectors>(a + 2 * q, at.a_row, b + q * Pairs::depth, sum);
    each<vectors>([&](int i, int v) { _mm512_storeu_ps(c + i * at.c_row + v * 16, sum[i][v]); });
  }

  template <int vectors, class F>
  TENON_INLINE static void each(F const& f) {
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) f(i, v);
    }
  }

  template <int vectors>
  TENON_INLINE static void add_pair(bfloat16 const* a, std::int64_t a_row, bfloat16 const* b,
                                    Sums<vectors>& sum) {
    __m512i right[std::size_t{vectors}];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) right[v] = _mm512_loadu_si512(b + v * Pairs::square);
    each<vectors>([&](int i, int v) {
      std::int32_t pair;
      std::memcpy(&pair, a + i * a_row, sizeof pair);
      add_products(sum[i][v], _mm512_set1_epi32(pair), right[v]);
    });
  }

  /// `_mm512_dpbf16_ps`, whose types differ between versions of g++, and whose header needs most of
  /// `<immintrin.h>`.
  TENON_INLINE static void add_products(__m512& sum, __m512i left, __m512i right) {
    asm("vdpbf16ps {%2, %1, %0|%0, %1, %2}" : "+v"(sum) : "v"(left), "v"(right));
  }
};

#else

/// Without such instructions.
struct PairDots {
  static constexpr bool is_compiled = false;
  template <bool tall, bool wide>
  static void multiply(PairPlace const&) {}
};

#endif

}  // namespace tenon::internal::simd
