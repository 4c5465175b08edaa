#pragma once

#include <concepts>
#include <cstdint>

#include <tenon/eval/cost.hpp>
#include <tenon/op/fold.hpp>

namespace tenon {

/// Has the machine an instruction for the larger of two numbers that passes over NaN? A fold may
/// then look for NaN in pairs of values, and need not in every step.
template <class M, class Op, class V>
concept FoldsNumbers = requires(V x) {
  Op::number(x, x);
  M::unordered(x, x);
};

/// One block of a fold over the lanes of a run, `at(i)` being the values from i on. Where they cost
/// little, four chains of operations go side by side, so that none waits for the one before it.
template <class M, class Op, class V>
struct FoldBlock {
  static constexpr int step = M::count;

  V sum = V(Op::template identity<word::scalar_of<V>>);

  template <class At>
  [[gnu::always_inline]] std::int64_t by_fours(At const& at, std::int64_t j, std::int64_t end) {
    V a = sum, b = sum, c = sum;
    for (; j + 4 * step <= end; j += 4 * step) {
      sum = Op::f(sum, at(j));
      a = Op::f(a, at(j + step));
      b = Op::f(b, at(j + 2 * step));
      c = Op::f(c, at(j + 3 * step));
    }
    sum = Op::f(Op::f(sum, a), Op::f(b, c));
    return j;
  }

  template <class At>
    requires FoldsNumbers<M, Op, V>
  [[gnu::always_inline]] std::int64_t by_fours(At const& at, std::int64_t j, std::int64_t end) {
    V a = sum, b = sum, c = sum;
    auto is_none = M::unordered(sum, sum);
    for (; j + 4 * step <= end; j += 4 * step) {
      V const x = at(j), y = at(j + step), z = at(j + 2 * step), u = at(j + 3 * step);
      is_none = is_none | M::unordered(x, y) | M::unordered(z, u);
      sum = Op::number(sum, x);
      a = Op::number(a, y);
      b = Op::number(b, z);
      c = Op::number(c, u);
    }
    V const found = Op::number(Op::number(sum, a), Op::number(b, c));
    sum = select(is_none, V(word::Layout<word::scalar_of<V>>::nan), found);
    return j;
  }

  /// One after the other.
  template <class At>
  [[gnu::always_inline]] std::int64_t by_ones(At const& at, std::int64_t j, std::int64_t end) {
    for (; j + step <= end; j += step) sum = Op::f(sum, at(j));
    return j;
  }
};

}  // namespace tenon
