#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/backend/cpu/simd/lanes_machine.hpp>
#include <tenon/backend/cpu/simd/lanes_tiles.hpp>

#include "compare.hpp"

/// The limits of one thread of this machine, measured at each use, as the clock frequency varies.
namespace bench {

/// Multiplications and additions per second: independent chains of multiply-adds in registers,
/// sixteen where there are 32 registers, twelve where there are 16.
template <class T>
double multiply_add_rate() {
  using Batch = tenon::internal::simd::Batch<T>;
  constexpr int chains = sizeof(Batch) == 64 ? 16 : 12, steps = 4096;
  Batch sum[chains];
  for (int i = 0; i < chains; ++i) sum[i] = Batch(static_cast<T>(i));
  Batch const half(T(0.5)), one(T(1));
  double const taken = seconds([&] {
    Batch chain[chains];  // local, as clang would keep them in memory otherwise
    std::copy_n(sum, chains, chain);
    for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 16
      for (int i = 0; i < chains; ++i)
        chain[i] = tenon::internal::simd::Native::fma(chain[i], half, one);
    }
    std::copy_n(chain, chains, sum);
    asm volatile("" : : "r"(sum) : "memory");
  });
  return 2.0 * chains * steps * tenon::internal::simd::width<T> / taken;
}

/// Multiplications and additions per second of bfloat16 in tile registers, or 0 if the machine has
/// none: four independent sums.
inline double tile_rate() {
#if defined(__AMX_TILE__) && defined(__AMX_BF16__)
  if (!tenon::internal::simd::Tiles::are_granted()) return 0;
  tenon::internal::simd::Tiles const tiles;
  constexpr int steps = 1024;
  double const taken = seconds([&] {
    for (int step = 0; step < steps; ++step) {
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  });
  return 4.0 * 2 * 16 * 16 * 32 * steps / taken;
#else
  return 0;
#endif
}

/// Bytes per second read from memory of this size, and summed.
inline double read_rate(float const* from, std::int64_t n) {
  using Batch = tenon::internal::simd::Batch<float>;
  constexpr std::int64_t width = tenon::internal::simd::width<float>;
  Batch sum[8];
  for (Batch& s : sum) s = Batch(0.0f);
  double const taken = seconds([&] {
    for (std::int64_t i = 0; i + 8 * width <= n; i += 8 * width) {
#pragma GCC unroll 8
      for (int j = 0; j < 8; ++j) sum[j] = sum[j] + Batch::load_unaligned(from + i + j * width);
    }
    asm volatile("" : : "r"(sum) : "memory");
  });
  return 4.0 * static_cast<double>(n) / taken;
}

}  // namespace bench
