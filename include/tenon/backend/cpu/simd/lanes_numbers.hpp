#pragma once

#include <tenon/backend/cpu/simd/lanes_wide.hpp>

namespace tenon::internal {

/// Whether no value so far was NaN. Only for targets with integer masks that can combine a
/// comparison of two registers with a running mask. (A parameter, since `Native` may lack it.)
template <std::floating_point T, class Native = simd::Native>
  requires requires(simd::Batch<T> x) { Native::ordered(0, x, x); }
struct NumbersSeen {
  static constexpr int parts = Lanes<T>::parts;
  static_assert(parts <= 2);
  using Mask = decltype(Native::ordered(0, simd::Batch<T>(), simd::Batch<T>()));
  static constexpr Mask every = static_cast<Mask>(~Mask(0));
  Mask low = every, high = every;  // g++ would keep an array of them in memory

  TENON_INLINE void see(Lanes<T> const& a, Lanes<T> const& b) {
    low = Native::ordered(low, a.part[0], b.part[0]);
    if constexpr (parts > 1) high = Native::ordered(high, a.part[1], b.part[1]);
  }
  /// Combines with the values of another object.
  TENON_INLINE void see(NumbersSeen const& others) {
    low = static_cast<Mask>(low & others.low);
    high = static_cast<Mask>(high & others.high);
  }
  TENON_INLINE bool all() const { return static_cast<Mask>(low & high) == every; }
};

}  // namespace tenon::internal
