#pragma once

#include <tenon/backend/cpu/simd/lanes_avx2.hpp>
#include <tenon/backend/cpu/simd/lanes_avx512.hpp>
#include <tenon/backend/cpu/simd/lanes_generic.hpp>
#include <tenon/backend/cpu/simd/lanes_sse2.hpp>

namespace tenon::internal::simd {

/// The target of the compilation.
#if defined(__AVX512F__)
using Native = Avx512;
#elif defined(__AVX2__)
using Native = Avx2;
#elif defined(__SSE2__) && !defined(__AVX__)
using Native = Sse2;
#else
using Native = Generic;
#endif

}  // namespace tenon::internal::simd
