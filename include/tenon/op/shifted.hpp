#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>
#include <tenon/op/predicate.hpp>

/// expm1 and log1p: accurate near zero.
namespace tenon::op {

/// exp(x) - 1.
struct Expm1 {
  static constexpr std::string_view name = "expm1";
  static constexpr Accuracy accuracy{6.5, 4.5};
  static auto reference(auto x) { return std::expm1(x); }
  /// Near zero by t = tanh(x / 2), as 2 t / (1 - t).
  template <class X>
  static X symbolic(X x) {
    X const one = X(1), t = applied<Tanh>(x * X(0.5));
    return select(abs(x) < one, (t + t) / (one - t), applied<Exp>(x) - one);
  }
  /// From 40 on the 1 is below the last bit, and the power alone may overflow.
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = Coefficients<T>;
    auto const exp = exponential(clamp(x, V(C::exp_underflow), V(C::exp_overflow)));
    V const power = scale(V(T(1)), exp.power);
    V const y = fma(power, exp.less_one, power - V(T(1)));
    return copysign(select(x > V(T(40)), exp.value(), y), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(y + V(scalar_of<V>(1)));
  }
};

/// log(1 + x); -infinity at -1, NaN below.
struct Log1p {
  static constexpr std::string_view name = "log1p";
  static constexpr Accuracy accuracy{3, 2};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x) { return std::log1p(x); }
  /// As below.
  template <class X>
  static X symbolic(X x) {
    X const one = X(1), total = x + one, log = applied<Log>(total);
    X const mended = log + (x - (total - one)) / total;
    return select(total == one, x, select(applied<IsInf>(log), log, mended));
  }
  /// The rounding error of 1 + x is added relative to the total (after Kahan).
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const one = V(T(1)), total = one + x, log = Log::f(total);
    V const lost = x - (total - one);
    auto const inside = (total > V(T(0))) & (total < V(Layout<T>::infinity));
    return copysign(select(inside, log + lost / total, log), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / (V(scalar_of<V>(1)) + x));
  }
};

using Shifted = List<Expm1, Log1p>;

}  // namespace tenon::op

namespace tenon {

/// e^x - 1 of floating numbers, accurate near zero. Within 6.5 ulp in `float`, 4.5 in `double`.
/// PyTorch: `expm1`.
template <class X, WellFormed R = MapOf<op::Expm1, X>>
constexpr auto expm1(X&& x) -> R {
  return map<op::Expm1>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Expm1, X>>
auto expm1(X&& x) -> R;

/// log(1 + x) of floating numbers, accurate near zero; NaN below -1. Within 3 ulp in `float`, 2 in
/// `double`. PyTorch: `log1p`.
template <class X, WellFormed R = MapOf<op::Log1p, X>>
constexpr auto log1p(X&& x) -> R {
  return map<op::Log1p>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Log1p, X>>
auto log1p(X&& x) -> R;

}  // namespace tenon
