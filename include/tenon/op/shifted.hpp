#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>
#include <tenon/op/predicate.hpp>

/// expm1 and log1p: accurate near zero; and the forms with another constant than one.
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

/// log(1 + x) from total, the rounded 1 + x, and log(total): the rounding error of the total is
/// added relative to it (after Kahan).
template <class V>
TENON_INLINE constexpr V with_rounding_error(V log, V x, V total) {
  using T = scalar_of<V>;
  V const lost = x - (total - V(T(1)));
  auto const inside = (total > V(T(0))) & (total < V(Layout<T>::infinity));
  return copysign(select(inside, log + lost / total, log), x);
}

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
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    V const total = V(scalar_of<V>(1)) + x;
    return with_rounding_error(Log::f(total), x, total);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / (V(scalar_of<V>(1)) + x));
  }
};

/// log(c + x) of a constant c, the same in every lane: log1p(x) if c is 1, else the logarithm of
/// the rounded sum.
struct LogOfSum {
  static constexpr std::string_view name = "log_of_sum";
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V c, V x) {
    V const total = c + x, log = Log::f(total);
    return either(
        c == V(scalar_of<V>(1)), [&] { return with_rounding_error(log, x, total); },
        [&] { return log; });
  }
  template <FloatingValue V>
  static constexpr auto d(V c, V x, V) {
    V const inverse = V(scalar_of<V>(1)) / (c + x);
    return partials(inverse, inverse);
  }
};

/// exp(x) - c of a constant c, the same in every lane: expm1(x) if c is 1.
struct ExpMinus {
  static constexpr std::string_view name = "exp_minus";
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x, V c) {
    return either(
        c == V(scalar_of<V>(1)), [&] { return Expm1::f(x); }, [&] { return Exp::f(x) - c; });
  }
  /// Not y + c, which cancels where exp(x) is small.
  template <FloatingValue V>
  static constexpr auto d(V x, V, V) {
    return partials(applied<Exp>(x), V(scalar_of<V>(-1)));
  }
};

using Shifted = List<Expm1, Log1p>;
/// Made by rewriting only (expr/map/rewrite.hpp): they have no functions of their own.
using ShiftedByConstants = List<LogOfSum, ExpMinus>;

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
