#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>
#include <tenon/op/rounding.hpp>
#include <tenon/op/trigonometric.hpp>

/// Fractions, steps, angles in degrees, and quotients and products with a limit at zero.
namespace tenon::op {

/// x - trunc(x), with the sign of x; NaN of an infinity.
struct Frac {
  static constexpr std::string_view name = "frac";
  static constexpr Domain domain = Domain::within_one;
  static auto reference(auto x) { return std::copysign(x - std::trunc(x), x); }
  template <class X>
  static X symbolic(X x) {
    X const y = x - applied<Trunc>(x);
    return select(y == X(0), x * X(0), y);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return copysign(x - copysign(floor(abs(x)), x), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V) {
    return partials(One{});
  }
};

/// 0 below zero, 1 above, y at zero.
struct Heaviside {
  static constexpr std::string_view name = "heaviside";
  static constexpr Domain domain = Domain::nonzero;
  static auto reference(auto x, auto y) { return x < 0 ? 0 : x > 0 ? 1 : x == 0 ? y : x; }
  template <class X>
  static X symbolic(X x, X y) {
    return select(x < X(0), X(0), select(x > X(0), X(1), select(x == X(0), y, x)));
  }
  template <FloatingValue V>
  static constexpr V f(V x, V y) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), at_zero = select(x == zero, y, x);
    return select(x < zero, zero, select(x > zero, V(T(1)), at_zero));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V, V) {
    return partials(Zero{}, x == V(scalar_of<V>(0)));
  }
};

/// NaN as 0, infinities as the largest numbers.
struct NanToNum {
  static constexpr std::string_view name = "nan_to_num";
  template <FloatingValue V>
  static constexpr V f(V x) {
    constexpr auto most = (std::numeric_limits<scalar_of<V>>::max)();
    return select(x == x, clamp(x, V(-most), V(most)), V(scalar_of<V>(0)));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(abs(x) < V(Layout<scalar_of<V>>::infinity));
  }
};

/// x times the constant of `Op`.
template <class Op>
struct TimesConstant {
  template <class X>
  static X symbolic(X x) {
    return x * X(Op::factor);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return x * V(scalar_of<V>(Op::factor));
  }
  template <FloatingValue V>
  static constexpr auto d(V, V) {
    return partials(V(scalar_of<V>(Op::factor)));
  }
};

/// x degrees in radians.
struct Deg2Rad : TimesConstant<Deg2Rad> {
  static constexpr std::string_view name = "deg2rad";
  static constexpr Accuracy accuracy{1, 1};
  static constexpr double factor = std::numbers::pi / 180;
  static auto reference(auto x) { return x * (std::numbers::pi_v<long double> / 180); }
};

/// x radians in degrees.
struct Rad2Deg : TimesConstant<Rad2Deg> {
  static constexpr std::string_view name = "rad2deg";
  static constexpr Accuracy accuracy{1.5, 1.5};
  static constexpr double factor = 180 / std::numbers::pi;
  static auto reference(auto x) { return x * (180 / std::numbers::pi_v<long double>); }
};

/// sin(pi x) / (pi x); 1 at zero.
struct Sinc {
  static constexpr std::string_view name = "sinc";
  static constexpr Accuracy accuracy{4, 4};
  static constexpr double pi = std::numbers::pi;
  static auto reference(auto x) {
    long double const size = std::fabs(static_cast<long double>(x));
    long double const turn = std::numbers::pi_v<long double>;
    if (size == 0) return 1.0L;
    return (size < 0.5L ? std::sin(turn * size) : of_turn(size)) / (turn * size);
  }
  /// sin(pi x) of the distance to the nearest integer.
  static long double of_turn(long double x) {
    long double const n = std::nearbyint(x), inside = x - n, sign = std::fmod(n, 2) == 0 ? 1 : -1;
    return inside == 0 ? 0 : sign * std::sin(std::numbers::pi_v<long double> * inside);
  }
  template <class X>
  static X symbolic(X x) {
    X const n = applied<Round>(x), half = n * X(0.5), one = X(1);
    X const sign = select(floor(half) == half, one, X(-1));
    X const y = sign * applied<Sin>((x - n) * X(pi)) / (x * X(pi));
    return select(x == X(0), one, y + X(0));
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), one = V(T(1)), n = round_even(a), half = n * V(T(0.5));
    V const sign = select(floor(half) == half, one, -one);
    V const sine = fma(sign, Sin::f((a - n) * V(T(pi))), V(T(0)));
    return select(a == V(T(0)), one, sine / (a * V(T(pi))));
  }
  /// (cos(pi x) - sinc(x)) / x; near zero by its series.
  template <FloatingValue V>
  static constexpr auto d(V x, V y) {
    using T = scalar_of<V>;
    V const angle = x * V(T(pi)), t = angle * angle;
    V const inner = V(T(1.0 / 840)) + t * (t * V(T(1.0 / 3991680)) - V(T(1.0 / 45360)));
    V const series = t * (V(T(1.0 / 30)) - t * inner) - V(T(1.0 / 3));
    auto const is_near = abs(x) < V(T(0.1));
    V const slope = (applied<Cos>(angle) - y) / select(is_near, V(T(1)), x);
    return partials(select(is_near, V(T(pi)) * angle * series, slope));
  }
};

/// x log(y); 0 where x is 0, unless y is NaN.
struct XLogY {
  static constexpr std::string_view name = "xlogy";
  static constexpr Accuracy accuracy{3, 2.5};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x, auto y) {
    return y != y ? y : x == 0 ? decltype(x * y)(0) : x * std::log(y);
  }
  template <class X>
  static X symbolic(X x, X y) {
    return select(y == y, select(x == X(0), X(0), x * applied<Log>(y)), y);
  }
  template <FloatingValue V>
  static constexpr V f(V x, V y) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), value = select(x == zero, zero, x * Log::f(y));
    return select(y == y, value, y);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y, V) {
    return partials(applied<Log>(y), x / y);
  }
};

using PartsUnary = List<Frac, Deg2Rad, Rad2Deg, Sinc>;
using PartsBinary = List<Heaviside, XLogY>;

}  // namespace tenon::op

namespace tenon {

/// x - trunc(x) of floating numbers, with the sign of x. Gradient: 1. PyTorch: `frac`.
template <class X, WellFormed R = MapOf<op::Frac, X>>
constexpr auto frac(X&& x) -> R {
  return map<op::Frac>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Frac, X>>
auto frac(X&& x) -> R;

/// 0 where x is below 0, 1 above, y at 0, of floating numbers. Gradient with respect to x: 0.
/// PyTorch: `heaviside`.
template <class X, class Y, WellFormed R = MapOf<op::Heaviside, X, Y>>
constexpr auto heaviside(X&& x, Y&& y) -> R {
  return map<op::Heaviside>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Heaviside, X, Y>>
auto heaviside(X&& x, Y&& y) -> R;

/// NaN as 0 and infinities as the largest finite numbers, of floating numbers. Gradient there: 0.
/// PyTorch: `nan_to_num`.
template <class X, WellFormed R = MapOf<op::NanToNum, X>>
constexpr auto nan_to_num(X&& x) -> R {
  return map<op::NanToNum>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::NanToNum, X>>
auto nan_to_num(X&& x) -> R;

/// Degrees as radians, of floating numbers. Within 1 ulp in `float`, 1 in `double`. PyTorch:
/// `deg2rad`.
template <class X, WellFormed R = MapOf<op::Deg2Rad, X>>
constexpr auto deg2rad(X&& x) -> R {
  return map<op::Deg2Rad>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Deg2Rad, X>>
auto deg2rad(X&& x) -> R;

/// Radians as degrees, of floating numbers. Within 1.5 ulp in `float`, 1.5 in `double`. PyTorch:
/// `rad2deg`.
template <class X, WellFormed R = MapOf<op::Rad2Deg, X>>
constexpr auto rad2deg(X&& x) -> R {
  return map<op::Rad2Deg>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Rad2Deg, X>>
auto rad2deg(X&& x) -> R;

/// sin(pi x) / (pi x) of floating numbers, 1 at 0. Within 4 ulp in `float`, 4 in `double`. PyTorch:
/// `sinc`.
template <class X, WellFormed R = MapOf<op::Sinc, X>>
constexpr auto sinc(X&& x) -> R {
  return map<op::Sinc>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Sinc, X>>
auto sinc(X&& x) -> R;

/// x log(y) of floating numbers, 0 where x is 0. Within 3 ulp in `float`, 2.5 in `double`.
/// PyTorch: `xlogy`.
template <class X, class Y, WellFormed R = MapOf<op::XLogY, X, Y>>
constexpr auto xlogy(X&& x, Y&& y) -> R {
  return map<op::XLogY>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::XLogY, X, Y>>
auto xlogy(X&& x, Y&& y) -> R;

}  // namespace tenon
