#pragma once

#include <cstdint>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/// Loops over memory written by hand for one machine: the limits with which formulas are compared.
namespace bench {

/// max(a * b + c, 0), four registers at a time. `past` is the largest result, in elements, that is
/// stored through the caches; a larger one is stored with non-temporal stores.
inline void multiply_add_relu(float const* a, float const* b, float const* c, float* to,
                              std::int64_t n, std::int64_t past) {
#ifdef __AVX512F__
  __m512 const zero = _mm512_setzero_ps();
  auto const at = [&](std::int64_t i) {
    __m512 const sum =
        _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), _mm512_loadu_ps(c + i));
    return _mm512_max_ps(zero, sum);
  };
  std::int64_t i = 0;
  if (n > past && reinterpret_cast<std::uintptr_t>(to) % 64 == 0) {
    for (; i + 64 <= n; i += 64)
      for (int k = 0; k < 64; k += 16) _mm512_stream_ps(to + i + k, at(i + k));
    _mm_sfence();
  }
  for (; i + 64 <= n; i += 64)
    for (int k = 0; k < 64; k += 16) _mm512_storeu_ps(to + i + k, at(i + k));
#else
  std::int64_t i = 0;
  static_cast<void>(past);
#endif
  for (; i < n; ++i) {
    float const sum = a[i] * b[i] + c[i];
    to[i] = sum > 0 ? sum : 0;
  }
}

}  // namespace bench
