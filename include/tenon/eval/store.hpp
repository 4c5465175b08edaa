#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/eval/cost.hpp>

/// How the values of a formula get to memory.
namespace tenon {

/// Stores the values of a frame for the lanes from `begin` to `end`. The loop reads a copy of the
/// frame, which no store can change, so that its pointers stay in registers.
template <class M, class F, class T>
[[gnu::always_inline]] inline void store_values(F const& frame, T* to, std::int64_t begin,
                                                std::int64_t end) {
  F const own = frame;
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count) M::store(F::of(own.trace(j, M::count)), to + j);
  if (j == end) return;
  int const left = static_cast<int>(end - j);
  M::store(F::of(own.trace(j, left)), to + j, left);
}

/// The same to every `step`th element.
template <class M, class F, class T>
void store_strided_values(F const& frame, T* to, std::int64_t step, std::int64_t begin,
                          std::int64_t end) {
  for (std::int64_t j = begin; j < end; j += M::count) {
    int const n = static_cast<int>(std::min<std::int64_t>(M::count, end - j));
    M::store_strided(F::of(frame.trace(j, n)), to + j * step, step, n);
  }
}

/// A result of so many bytes is gone from the caches before it is read again: it is stored past
/// them, which saves reading what is overwritten. (Half of a common last cache; the result shares
/// it with what it is made of.)
inline constexpr std::int64_t bytes_past_caches = std::int64_t{16} << 20;

/// A formula that costs more waits for itself rather than for memory.
inline constexpr int cost_past_caches = 48;

/// `store_values` past the caches, where the machine can do that and the memory is aligned. Whoever
/// has stored so calls `M::finish_past_caches()` before another thread may read.
template <class M, class F, class T>
[[gnu::always_inline]] inline void store_past_caches(F const& frame, T* to, std::int64_t begin,
                                                     std::int64_t end) {
  if constexpr (cost<F> < cost_past_caches && M::template stores_past_caches<T>) {
    F const own = frame;
    std::int64_t j = begin;
    if (M::is_aligned(to + j)) {
      for (; j + M::count <= end; j += M::count)
        M::store_past_caches(F::of(own.trace(j, M::count)), to + j);
    }
    begin = j;
  }
  store_values<M>(frame, to, begin, end);
}

}  // namespace tenon
