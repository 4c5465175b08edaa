#pragma once

#include <tenon/backend/cpu/simd/lanes_dots.hpp>
#include <tenon/backend/cpu/simd/lanes_tiles.hpp>

namespace tenon::internal::simd {

/// Whether there is an instruction that multiplies pairs of bfloat16, at compile time and at run
/// time. (If Linux denies AMX, dot products are not used: on such machines they are slower than
/// multiply-adds of floats.)
inline constexpr bool has_pairs = Tiles::is_compiled || PairDots::is_compiled;
inline bool multiplies_pairs() {
  return Tiles::is_compiled ? Tiles::are_granted() : PairDots::is_compiled;
}

}  // namespace tenon::internal::simd
