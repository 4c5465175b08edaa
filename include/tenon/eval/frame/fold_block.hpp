#pragma once

#include <cstdint>

#include <tenon/eval/frame/fold_chains.hpp>
#include <tenon/eval/rows/walk.hpp>

namespace tenon {

/// How many runs of a row make a block, in which no chain adds up more values than `length`: of
/// long runs a block takes a part. Where a run is shorter than four vectors, the number of chains
/// makes no difference.
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

/// Values that stand side by side, vector by vector. (No lambda: compilers would rather call it,
/// and what it refers to is in memory then.)
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

/// One block of a fold over the lanes of runs, in several chains where the values cost little.
template <class M, class Op, class V, int number>
struct FoldBlock {
  using T = word::scalar_of<V>;
  static constexpr int step = M::count;

  FoldChains<M, Op, V, number> chains;

  TENON_INLINE FoldBlock() {}

  /// The n values of a run from j on, `values(i, lanes)` being those from i on. What is left over
  /// after the widest steps goes in smaller ones: of 7 vectors 4, then one after the other.
  template <class Values>
  TENON_INLINE void run(Values const& values, std::int64_t j, std::int64_t n) {
    for (std::int64_t wide = n / (number * step); wide > 0; --wide, j += number * step)
      next<number>(values, j);
    if (std::int64_t const rest = n % (number * step); rest > 0) end(values, j, rest);
  }

  /// All values, lane by lane; where one is NaN, that.
  TENON_INLINE V total() const {
    if constexpr (FoldsNumbers<M, Op, V>)
      if (!chains.seen().all()) return V(word::Layout<T>::nan);
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

}  // namespace tenon
