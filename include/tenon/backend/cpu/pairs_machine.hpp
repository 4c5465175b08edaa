#pragma once

#include <tenon/backend/cpu/lanes_dots.hpp>
#include <tenon/backend/cpu/lanes_tiles.hpp>

namespace tenon::simd {

/// Is there an instruction that multiplies pairs of bfloat16, as far as the compiler knows? And
/// when the program runs? (Where there are tiles and Linux keeps them back it is not dot products
/// that take over: on such machines they are slower than multiply-adds of floats.)
inline constexpr bool has_pairs = Tiles::is_compiled || PairDots::is_compiled;
inline bool multiplies_pairs() {
  return Tiles::is_compiled ? Tiles::are_granted() : PairDots::is_compiled;
}

}  // namespace tenon::simd
