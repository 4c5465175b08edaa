#pragma once

#include <tenon/backend/cpu/simd/lanes_mask.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/extremes.hpp>

namespace tenon::internal {

/// An extreme that assumes no NaN.
template <class Op>
struct OfNumbers {
  template <class V, class Extreme = Op>
  static auto f(V a, V b) -> decltype(Extreme::number(a, b)) {
    return Op::number(a, b);
  }
};

/// Reductions over the lanes of one value, in a fixed tree: lane i with lane i + half, repeatedly.
/// `Op` is commutative, like `op::Add` or `op::Maximum`.
template <class T>
struct LaneReductions {
  template <class Op, int half = lane_count / 2>
  TENON_INLINE T reduced() const {
    auto const& x = static_cast<Lanes<T> const&>(*this);
    if constexpr (requires { OfNumbers<Op>::f(x, x); }) {  // tests for NaN once, not in each step
      T const found = x.template reduced<OfNumbers<Op>>();
      return is_nan(x).any() ? intrinsics::Layout<T>::nan : found;
    } else {
      Lanes<T> const y = Op::f(x, x.template exchanged<half>());
      if constexpr (half == 1) return y.lane(0);
      else return y.template reduced<Op, half / 2>();
    }
  }
  T sum() const { return reduced<op::Add>(); }
  T(max)() const { return reduced<op::Maximum>(); }
  T(min)() const { return reduced<op::Minimum>(); }

  /// Of the first `count` lanes. (x + -0 is x, also for x = -0.)
  T sum(int count) const { return kept(count, static_cast<T>(-0.0)).sum(); }
  T(max)(int count) const { return (kept(count).max)(); }
  T(min)(int count) const { return (kept(count).min)(); }

 private:
  Lanes<T> kept(int count, T rest) const {
    auto const& x = static_cast<Lanes<T> const&>(*this);
    return select(Lanes<bool>::first(count), x, Lanes<T>(rest));
  }
  Lanes<T> kept(int count) const {
    return kept(count, static_cast<Lanes<T> const&>(*this).lane(0));
  }
};

}  // namespace tenon::internal
