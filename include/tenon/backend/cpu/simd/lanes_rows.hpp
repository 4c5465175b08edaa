#pragma once

#include <cstdint>
#include <utility>

#include <tenon/backend/cpu/simd/lanes_wide.hpp>
#include <tenon/backend/cpu/simd/transpose.hpp>

/// Reductions over the lanes of several values at once.
namespace tenon::internal::simd {

/// For every 2 `step` lanes: the first half of x followed by that of y; and the second halves.
template <int step, Wide T>
TENON_INLINE inline void exchange_halves(Lanes<T>& x, Lanes<T>& y) {
  constexpr int apart = step / width<T>;
  for (int p = 0; p < Lanes<T>::parts; ++p) {
    if constexpr (apart == 0) exchange_halves<step>(x.part[p], y.part[p]);
    else if ((p & apart) == 0) std::swap(x.part[p + apart], y.part[p]);
  }
}

/// The lanes of value i of `lane_count` are reduced to lane i, in the tree of `LaneReductions`.
template <class Op, int step = lane_count / 2, Wide T>
TENON_INLINE inline Lanes<T> lanes_reduced(Lanes<T>* values) {
#pragma GCC unroll 8
  for (int i = 0; i < step; ++i) {
    exchange_halves<step>(values[i], values[i + step]);
    values[i] = Op::f(values[i], values[i + step]);
  }
  if constexpr (step > 1) return lanes_reduced<Op, step / 2>(values);
  else return values[0];
}

}  // namespace tenon::internal::simd
