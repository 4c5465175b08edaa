#pragma once

#include <cmath>
#include <string_view>
#include <utility>

#include <tenon/op/exact.hpp>
#include <tenon/op/inverse_trigonometric.hpp>
#include <tenon/op/normal.hpp>
#include <tenon/op/shifted.hpp>

/// Functions whose naive formulas cancel or overflow.
namespace tenon::op {

/// exp(-a^2) w, for a to 1/sqrt(2) of `tail_end`: the upper half of a is squared exactly, and the
/// rest of the square is an own factor.
template <class V>
TENON_INLINE constexpr V times_exponential_of_square(V a, V w) {
  using T = scalar_of<V>;
  V const upper = upper_half(a), low = (upper - a) * (a + upper), one = V(T(1));
  V const half = fma(low, fma(low, V(T(0.25) / 3), V(T(1) / 3)) * V(T(0.5)), V(T(0.5)));
  V const rest = fma(low * low, half, low);  // exp(low) - 1
  auto const power = exponential(-(upper * upper));
  return scale((one + power.less_one) * fma(w, rest, w), power.power);
}

/// 2 exp(a^2 / 2) Phi(-a): for large a not by 1 - ratio, which loses bits.
template <class V>
TENON_INLINE constexpr V scaled_tail_without_cancellation(V a) {
  using T = scalar_of<V>;
  V const two = V(T(2));
  auto const tail = scaled_tail(a);
  return two * select(a > two, tail.times_argument() / a, tail.value());
}

/// 1 - erf(x), accurate in the tail.
struct Erfc {
  static constexpr std::string_view name = "erfc";
  static constexpr Accuracy accuracy{6, 5};
  static auto reference(auto x) { return std::erfc(x); }
  template <class X>
  static X symbolic(X x) {
    return X(1) - applied<Erf>(x);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const root = V(T(1.41421356237309504880));
    V const a = clamp(abs(x), V(T(0)), V(Coefficients<T>::tail_end) / root);
    V const y = times_exponential_of_square(a, scaled_tail_without_cancellation(a * root));
    return select(x == x, select(x < V(T(0)), V(T(2)) - y, y), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const y = applied<Gaussian>(x * V(T(1.41421356237309504880)));
    return partials(V(T(-1.12837916709551257390)) * y);  // 2/sqrt(pi)
  }
};

/// log(e^a + e^b), without overflow.
struct LogAddExp {
  static constexpr std::string_view name = "logaddexp";
  static auto reference(auto a, auto b) {
    auto const total = a == b ? a + std::log1p(decltype(a)(1))
                              : std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
    return a != a || b != b ? a + b : total;
  }
  template <class X>
  static X symbolic(X a, X b) {
    X const size = select(a == b, X(0), abs(a - b));
    return maximum(a, b) + applied<Log1p>(applied<Exp>(-size));
  }
  template <FloatingValue V>
  static constexpr V f(V a, V b) {
    V const size = select(a == b, V(scalar_of<V>(0)), abs(a - b));
    return maximum(a, b) + Log1p::f(Exp::f(-size));
  }
  template <FloatingValue V>
  static constexpr auto d(V a, V b, V) {
    V const difference = select(a == b, V(scalar_of<V>(0)), a - b);
    return partials(applied<Sigmoid>(difference), applied<Sigmoid>(-difference));
  }
};

/// |a| with the sign of b, also of a zero.
struct Copysign {
  static constexpr std::string_view name = "copysign";
  static constexpr Domain domain = Domain::nonzero;
  static auto reference(auto a, auto b) { return std::copysign(a, b); }
  template <class X>
  static X symbolic(X a, X b) {
    return abs(a) * select(Atan2::has_sign(b), X(-1), X(1));
  }
  template <FloatingValue V>
  static constexpr V f(V a, V b) {
    return copysign(a, b);
  }
  template <FloatingValue V>
  static constexpr auto d(V a, V b, V) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1));
    return partials(select(a == zero, zero, copysign(one, a) * copysign(one, b)), Zero{});
  }
};

using ComplementsUnary = List<Erfc>;
using ComplementsBinary = List<LogAddExp, Copysign>;

}  // namespace tenon::op

namespace tenon {

/// 1 - erf(x) of floating numbers, accurate in the tail. Within 6 ulp in `float`, 5 in `double`.
/// PyTorch: `erfc`.
template <class X, WellFormed R = MapOf<op::Erfc, X>>
constexpr auto erfc(X&& x) -> R {
  return map<op::Erfc>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Erfc, X>>
auto erfc(X&& x) -> R;

/// log(e^x + e^y) of floating numbers, without overflow. PyTorch: `logaddexp`.
template <class X, class Y, WellFormed R = MapOf<op::LogAddExp, X, Y>>
constexpr auto logaddexp(X&& x, Y&& y) -> R {
  return map<op::LogAddExp>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::LogAddExp, X, Y>>
auto logaddexp(X&& x, Y&& y) -> R;

/// |x| with the sign of y, also of a zero, of floating numbers. Gradient with respect to y: 0.
/// PyTorch: `copysign`.
template <class X, class Y, WellFormed R = MapOf<op::Copysign, X, Y>>
constexpr auto copysign(X&& x, Y&& y) -> R {
  return map<op::Copysign>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Copysign, X, Y>>
auto copysign(X&& x, Y&& y) -> R;

}  // namespace tenon
