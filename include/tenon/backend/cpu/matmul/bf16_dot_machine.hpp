#pragma once

#include <tenon/core/config.hpp>

namespace tenon::internal::simd {

/// Whether there is an instruction that multiplies pairs of bfloat16, at compile time: of tile
/// registers (AMX) or of vectors. (See `Tiles` and `PairDots`.)
#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512F__) && defined(__linux__)
inline constexpr bool has_pairs = true;
#elif defined(__AVX512BF16__) && defined(__AVX512F__) && !defined(__clang__)
inline constexpr bool has_pairs = true;
#else
inline constexpr bool has_pairs = false;
#endif

/// The same at run time. (If Linux denies AMX, dot products are not used: on such machines they are
/// slower than multiply-adds of floats.)
bool multiplies_pairs();

}  // namespace tenon::internal::simd

#if TENON_DEFINES_RUNTIME

#include <tenon/backend/cpu/simd/lanes_dots.hpp>
#include <tenon/backend/cpu/simd/lanes_tiles.hpp>

namespace tenon::internal::simd {

static_assert(has_pairs == (Tiles::is_compiled || PairDots::is_compiled));

TENON_RUNTIME bool multiplies_pairs() {
  return Tiles::is_compiled ? Tiles::are_granted() : PairDots::is_compiled;
}

}  // namespace tenon::internal::simd

#endif
