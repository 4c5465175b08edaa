#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>

#include <tenon/eval/frame/map.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/op/reduction.hpp>

namespace tenon::internal {

/// Whether the machine has an instruction for the maximum or minimum of two numbers that ignores
/// NaN. A reduction may then check pairs of values for NaN instead of every step.
template <class M, class Op, class V>
concept ReductionsNumbers = requires(V x) {
  Op::number(x, x);
  typename M::template NumbersSeen<intrinsics::scalar_of<V>>;
};

/// A reduction with `number` independent accumulators, which hides the latency of an addition. The
/// accumulators are nested members, each with half of them: compilers keep members in registers,
/// but arrays and the state of calls that are not inlined in memory. `seen()` is true if a NaN was
/// among the values, where the reduction checks for it.
template <class M, class Op, class V, int number>
struct ReductionChains {
  static constexpr int half = number / 2;
  ReductionChains<M, Op, V, half> low, high;

  TENON_INLINE ReductionChains() {}
  TENON_INLINE explicit ReductionChains(V const* from) : low(from), high(from + half) {}
  TENON_INLINE void put(V* to) const {
    low.put(to);
    high.put(to + half);
  }

  /// One more value, `at(k)`, for each of the first n chains; k is the number of the first of these
  /// chains.
  template <int n, class At>
  TENON_INLINE void step(At const& at, int k = 0) {
    low.template step<(std::min)(n, half)>(at, k);
    if constexpr (n > half) high.template step<n - half>(at, k + half);
  }

  /// All chains reduced to one value; max and min ignore NaN.
  TENON_INLINE V found() const {
    if constexpr (ReductionsNumbers<M, Op, V>) return Op::number(low.found(), high.found());
    else return Op::f(low.found(), high.found());
  }
  TENON_INLINE auto seen() const {
    auto all = low.seen();
    all.see(high.seen());
    return all;
  }
};

template <class M, class Op, class V>
struct ReductionChains<M, Op, V, 1> {
  V sum = V(Op::template identity<intrinsics::scalar_of<V>>);

  TENON_INLINE ReductionChains() {}
  TENON_INLINE explicit ReductionChains(V const* from) : sum(*from) {}
  TENON_INLINE void put(V* to) const { *to = sum; }
  template <int n, class At>
  TENON_INLINE void step(At const& at, int k = 0) {
    sum = Op::f(sum, at(k));
  }
  TENON_INLINE V found() const { return sum; }
};

template <class M, class Op, class V>
  requires ReductionsNumbers<M, Op, V>
struct ReductionChains<M, Op, V, 1> {
  using T = intrinsics::scalar_of<V>;
  V sum = V(Op::template identity<T>);
  typename M::template NumbersSeen<T> numbers{};

  TENON_INLINE ReductionChains() {}
  TENON_INLINE explicit ReductionChains(V const* from) : sum(*from) { numbers.see(sum, sum); }
  TENON_INLINE void put(V* to) const { *to = sum; }
  template <int n, class At>
  TENON_INLINE void step(At const& at, int k = 0) {
    V const x = at(k);
    numbers.see(x, x);
    sum = Op::number(sum, x);
  }
  TENON_INLINE V found() const { return sum; }
  TENON_INLINE auto seen() const { return numbers; }
};

/// One NaN check for two neighbours.
template <class M, class Op, class V>
  requires ReductionsNumbers<M, Op, V>
struct ReductionChains<M, Op, V, 2> {
  using T = intrinsics::scalar_of<V>;
  V low = V(Op::template identity<T>), high = V(Op::template identity<T>);
  typename M::template NumbersSeen<T> numbers{};

  TENON_INLINE ReductionChains() {}
  TENON_INLINE explicit ReductionChains(V const* from) : low(from[0]), high(from[1]) {
    numbers.see(low, high);
  }
  TENON_INLINE void put(V* to) const {
    to[0] = low;
    to[1] = high;
  }
  template <int n, class At>
  TENON_INLINE void step(At const& at, int k = 0) {
    V const x = at(k);
    low = Op::number(low, x);
    if constexpr (n == 1) {
      numbers.see(x, x);
    } else {
      V const y = at(k + 1);
      numbers.see(x, y);
      high = Op::number(high, y);
    }
  }
  TENON_INLINE V found() const { return Op::number(low, high); }
  TENON_INLINE auto seen() const { return numbers; }
};

/// The operand of one block of a reduction over at most `most_values` values: the operand itself.
template <class Op, class F>
struct BlockOperand {
  using type = F;  ///< Over the same inputs.
  static constexpr std::int64_t most_values = (std::numeric_limits<std::int64_t>::max)();

  TENON_INLINE static auto whole(auto const& sum) { return sum; }
};

/// A sum of 8- and 16-bit integers has 64 bits, but the sum of one block fits 32: twice as many
/// lanes per register.
template <class M, class Wide, class A>
  requires IntegerType<Wide> && IntegerType<typename A::value_type> &&
           (sizeof(typename A::value_type) <= 2 && sizeof(Wide) == 8)
struct BlockOperand<op::SumReduction, MapFrame<M, op::Cast<Wide>, A>> {
  using type = MapFrame<M, op::Cast<std::int32_t>, A>;
  static constexpr std::int64_t most_values = 1 << 15;  ///< Each is below 2^16, so the sum is below
                                                        ///< 2^31.

  TENON_INLINE static auto whole(auto const& sum) { return op::Cast<Wide>::f(sum); }
};

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
