#pragma once

#include <algorithm>
#include <concepts>

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

}  // namespace tenon::internal
