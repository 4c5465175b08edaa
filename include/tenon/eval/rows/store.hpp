#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/eval/cost.hpp>
#include <tenon/eval/frame/loop.hpp>
#include <tenon/eval/rows/layout.hpp>

/// How the values of a formula are written to memory.
namespace tenon::internal {

/// A result of at least this many bytes is evicted from the caches before it is read again: it is
/// written by streaming stores, which do not read the lines that they overwrite. (Half of a common
/// last-level cache, which the operands occupy as well.)
inline constexpr std::int64_t bytes_past_caches = std::int64_t{16} << 20;

/// A formula that costs more is bound by computation rather than by memory.
inline constexpr int cost_past_caches = 48;

template <class F, class M>
inline constexpr bool may_store_past_caches =
    cost<F> < cost_past_caches && M::template stores_past_caches<typename F::value_type>;

/// Stores all lanes of a vector.
template <bool may_pass_caches, class M, class V, class T>
TENON_INLINE inline void store_lanes(V const& value, T* to, [[maybe_unused]] bool past_caches) {
  if constexpr (may_pass_caches) {
    if (past_caches) return M::store_past_caches(value, to);
  }
  M::store(value, to);
}

/// Stores the values of a formula for the lanes from `begin` to `end`; the first goes to `to`. The
/// loop tests for every vector whether to bypass the caches: for small formulas compilers make two
/// loops of it, elsewhere one is enough. After such stores the caller runs
/// `M::finish_past_caches()` before another thread may read. (A separate function: inlined into
/// run_row it would be compiled twice.)
template <class M, class F, class T>
[[gnu::noinline]] void store_values(Formula<F> const& frame, T* to, std::int64_t begin,
                                    std::int64_t end, [[maybe_unused]] bool past_caches = false) {
  Readers<F> const from(frame);
  std::int64_t j = begin;
  if constexpr (requires { F::together; }) {
    constexpr std::int64_t step = F::together * M::count;
    for (; j + step <= end; j += step, to += step)
      nth<0>(frame).trace_together(j, [to](int k, auto const& value) { M::store(value, to + k); });
  }
  for (; j + M::count <= end; j += M::count, to += M::count) {
    store_lanes<may_store_past_caches<F, M>, M>(Trace<F>(from, j, M::count).value(), to,
                                                past_caches);
  }
  if (j == end) return;
  int const left = tail_lanes<M>(end - j);
  M::store(Trace<F>(from, j, left).value(), to, left);
}

/// Elements of a buffer for a result that is not contiguous: it stays in the innermost cache.
inline constexpr std::int64_t block_elements = 256;

template <class T>
[[gnu::noinline]] void spread_block(T const* from, T* to, std::int64_t count, std::int64_t step) {
  for (std::int64_t i = 0; i < count; ++i) to[i * step] = from[i];
}

/// Stores the elements [begin, end) of a run of a kernel; the first goes to `to`.
template <class T>
using StoreRun = void (*)(RowLayout const& kernel, T* to, std::int64_t begin, std::int64_t end);

/// Stores one run of a kernel's result, which begins at `to`. A result that is not contiguous is
/// copied block by block: so the formula is compiled once for both.
template <class T>
TENON_INLINE inline void store_blocks(RowLayout const& kernel, StoreRun<T> store, T* to,
                                      std::int64_t begin, std::int64_t end) {
  alignas(64) T block[block_elements];
  std::int64_t const step = kernel.out.inner;
  if (step == 1) return store(kernel, to + begin, begin, end);
  for (; begin < end; begin += block_elements) {
    std::int64_t const last = (std::min)(begin + block_elements, end);
    store(kernel, block, begin, last);
    spread_block(block, to + begin * step, last - begin, step);
  }
}

}  // namespace tenon::internal
