#pragma once

#include <cstdint>

#include <tenon/eval/frame/reduction_chains.hpp>
#include <tenon/eval/rows/walk.hpp>

namespace tenon::internal {

/// The number of runs of a row in one block, such that no chain adds up more than `length` values;
/// a long run is split into several blocks. Where a run is shorter than four vectors, the number of
/// chains makes no difference.
template <int lanes, int chains, int length>
struct RunsOfBlocks {
  static constexpr std::int64_t wide = std::int64_t{lanes} * chains;
  static constexpr std::int64_t elements = wide * length;

  /// The values that a run of n elements adds to the first of the chains.
  static constexpr std::int64_t longest_chain(std::int64_t n) {
    std::int64_t const rest = n % wide / lanes, tail = n % lanes == 0 ? 0 : 1;
    return n / wide + rest / 4 + rest % 4 + tail;
  }
  static constexpr std::int64_t together(std::int64_t n) {
    std::int64_t const one = longest_chain(n);
    return one == 0 || one >= length ? 1 : int{length} / static_cast<int>(one);
  }
};

/// Adjacent values, vector by vector. (Not a lambda: compilers tend not to inline one here, which
/// forces its captures into memory.)
template <class Values, int step>
struct Neighbours {
  Values const& values;
  std::int64_t j;
  TENON_INLINE auto operator()(int k) const { return values(j + k * step, step); }
};
template <class V>
struct OneValue {
  V value;
  TENON_INLINE V operator()(int) const { return value; }
};

/// One block of a reduction over the lanes of runs; in several chains where the values are cheap to
/// compute.
template <class M, class Op, class V, int number>
struct ReductionBlock {
  using T = intrinsics::scalar_of<V>;
  static constexpr int step = M::count;

  ReductionChains<M, Op, V, number> chains;

  TENON_INLINE ReductionBlock() {}

  /// The n values of a run from j on; `values(i, lanes)` are those from i on. The remainder after
  /// the widest steps is taken in smaller ones: of 7 vectors 4, then one at a time.
  template <class Values>
  TENON_INLINE void run(Values const& values, std::int64_t j, std::int64_t n) {
    for (std::int64_t wide = n / (number * step); wide > 0; --wide, j += number * step)
      next<number>(values, j);
    if (std::int64_t const rest = n % (number * step); rest > 0) end(values, j, rest);
  }

  /// The reduction of all values, lane by lane; NaN where one of them is NaN.
  TENON_INLINE V total() const {
    if constexpr (ReductionsNumbers<M, Op, V>)
      if (!chains.seen().all()) return V(intrinsics::Layout<T>::nan);
    return chains.found();
  }

 private:
  template <int n, class Values>
  TENON_INLINE void next(Values const& values, std::int64_t j) {
    if constexpr (n == 1) chains.template step<1>(OneValue<V>{values(j, step)});
    else chains.template step<n>(Neighbours<Values, step>{values, j});
  }

  template <class Values>
  TENON_INLINE void end(Values const& values, std::int64_t j, std::int64_t n) {
    if constexpr (number > 4) {
      if (n >= 4 * step) {
        next<4>(values, j);
        j += 4 * step;
        n -= 4 * step;
      }
    }
    if constexpr (number > 1)
      for (; n >= step; n -= step, j += step) next<1>(values, j);
    if (n == 0) return;
    int const left = tail_lanes<M>(n);
    V const tail = M::first(values(j, left), left, Op::template identity<T>);
    chains.template step<1>(OneValue<V>{tail});
  }
};

}  // namespace tenon::internal
