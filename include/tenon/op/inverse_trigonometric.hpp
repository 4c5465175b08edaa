#pragma once

#include <numbers>
#include <string_view>
#include <utility>

#include <tenon/op/arithmetic.hpp>
#include <tenon/op/elementary.hpp>
#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/predicate.hpp>
#include <tenon/op/reference.hpp>

/// Inverse trigonometric functions, in radians.
namespace tenon::op {

/// Minimax polynomials (Remez, 60 digits; lowest power first), and pi/2 in two parts.
template <class T>
struct AngleCoefficients;
template <>
struct AngleCoefficients<float> {
  static constexpr float half_pi = 1.57079637f, half_pi_rest = -4.37113883e-8f;
  // (atan(x) / x - 1) / z with z = x^2, |x| < tan(pi/8); 2^-30
  static constexpr float atan[] = {-0.333333155f, 0.199984894f, -0.142438488f, 0.105960017f,
                                   -0.0608345378f};
  // (asin(x) / x - 1) / z with z = x^2, |x| < 1/2; 2^-31
  static constexpr float asin[] = {0.166666599f,  0.0750051092f, 0.0445157201f,
                                   0.0318176137f, 0.0144025966f, 0.0375652156f};
};
template <>
struct AngleCoefficients<double> {
  static constexpr double half_pi = 1.5707963267948966, half_pi_rest = 6.123233995736766e-17;
  // as above; 2^-64, 2^-59
  static constexpr double atan[] = {
      -0.333333333333333276,  0.199999999999976935,  -0.142857142853910729,  0.111111110883690861,
      -0.0909090815144115309, 0.0769228291520675857, -0.0666622907262633454, 0.0587704450437118034,
      -0.0521855077805167604, 0.0450414560263448311, -0.0334883585634772256, 0.015209295064496991};
  static constexpr double asin[] = {
      0.166666666666667624,  0.0749999999997026107,  0.0446428571751215708, 0.0303819426835869703,
      0.0223722156610059811, 0.01735160008126213,    0.013980961559813486,  0.0113977752092844566,
      0.0107865329910978962, 0.00368302821129309315, 0.0217635307706915858, -0.021077335016520887,
      0.0326769155536256725};
};

/// A multiple of pi/2 plus a small angle, with both parts of the constant.
template <class V>
TENON_INLINE constexpr V right_angles(scalar_of<V> number, V rest) {
  using C = AngleCoefficients<scalar_of<V>>;
  return V(number * C::half_pi) + (V(number * C::half_pi_rest) + rest);
}

/// atan(x) for x >= 0: relative to pi/4 beyond tan(pi/8), to pi/2 beyond tan(3 pi/8).
template <class V>
TENON_INLINE constexpr V positive_atan(V x) {
  using T = scalar_of<V>;
  using C = AngleCoefficients<T>;
  V const one = V(T(1));
  auto const large = x > V(T(2.41421356237309504880)), medium = x > V(T(0.41421356237309504880));
  V const above = select(large, -one, select(medium, x - one, x));
  V const below = select(large, x, select(medium, x + one, one));
  V const t = above / below, z = t * t, angle = fma(t * z, polynomial(z, C::atan), t);
  V const turned = select(large, right_angles(T(1), angle), right_angles(T(0.5), angle));
  return select(medium, turned, angle);
}

struct Atan {
  static constexpr std::string_view name = "atan";
  static constexpr std::string_view onnx = "Atan";
  static constexpr Accuracy accuracy{4, 3.5};
  static auto reference(auto x) { return std::atan(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return copysign(positive_atan(abs(x)), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / fma(x, x, V(scalar_of<V>(1))));
  }
};

/// The angle of the point (x, y), with the special cases of C's atan2.
struct Atan2 {
  static constexpr std::string_view name = "atan2";
  static constexpr Accuracy accuracy{3, 3};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto a, auto b) { return std::atan2(a, b); }
  /// Whether the sign bit is set: of -0 by its reciprocal.
  template <class X>
  static mask_of<X> has_sign(X x) {
    return select(x == X(0), applied<Reciprocal>(x), x) < X(0);
  }
  /// The angle of the smaller to the larger of |x| and |y|, turned to the quadrant of the point.
  template <class X>
  static X symbolic(X y, X x) {
    X const a = abs(x), b = abs(y), small = minimum(a, b), large = maximum(a, b), one = X(1);
    X const quotient = select(large == X(0), large, small / large);
    X const angle = applied<Atan>(select(applied<IsInf>(small), one, quotient));
    X const upper = select(b > a, X(std::numbers::pi / 2) - angle, angle);
    X const whole = select(has_sign(x), X(std::numbers::pi) - upper, upper);
    return whole * select(has_sign(y), X(-1), one);
  }
  template <FloatingValue V>
  static constexpr V f(V y, V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1)), a = abs(x), b = abs(y);
    V const small = minimum(a, b), large = maximum(a, b);
    auto const diagonal = small == V(Layout<T>::infinity);
    V const derivative = select(large == zero, zero, select(diagonal, one, small / large));
    V const angle = positive_atan(derivative);
    V const upper = select(b > a, right_angles(T(1), -angle), angle);
    V const whole = select(copysign(one, x) < zero, right_angles(T(2), -upper), upper);
    return copysign(whole, y);
  }
  template <FloatingValue V>
  static constexpr auto d(V y, V x, V) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1));
    auto const steep = abs(y) > abs(x);
    V const large = select(steep, y, x), quotient = select(steep, x, y) / large;
    V const t = select(quotient == quotient, quotient, one);  // both zero, or both infinite
    V const r = select(large == zero, zero, one / (large * fma(t, t, one)));
    V const other = select(t == zero, zero, t * r);
    return partials(select(steep, other, r), -select(steep, r, other));
  }
};

/// An angle as sine + rest, where the rest is small.
template <class V>
struct HalfAngle {
  V sine;
  V rest;
};

/// asin(a) for 0 <= a < 1/2, and asin(sqrt((1 - a) / 2)) up to 1: NaN beyond.
template <class V>
TENON_INLINE constexpr HalfAngle<V> half_asin(V a) {
  using T = scalar_of<V>;
  auto const small = a < V(T(0.5));
  V const z = select(small, a * a, (V(T(1)) - a) * V(T(0.5)));
  V const s = select(small, a, sqrt(z));
  return {s, s * z * polynomial(z, AngleCoefficients<T>::asin)};
}

struct Asin {
  static constexpr std::string_view name = "asin";
  static constexpr std::string_view onnx = "Asin";
  static constexpr Accuracy accuracy{2, 1.5};
  static constexpr Domain domain = Domain::within_one;
  static auto reference(auto x) { return std::asin(x); }
  /// Above a half it is pi/2 minus twice the angle; the rounding errors of the larger terms are
  /// compensated.
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = AngleCoefficients<T>;
    V const a = abs(x), two = V(T(2));
    auto const half = half_asin(a);
    V const large = two * half.sine, rounded = V(C::half_pi) - large;
    V const lost = (V(C::half_pi) - rounded) - large;
    V const upper = rounded + (lost + fma(-two, half.rest, V(C::half_pi_rest)));
    return copysign(select(a < V(T(0.5)), half.sine + half.rest, upper), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1));
    return partials(one / sqrt((one - x) * (one + x)));
  }
};

struct Acos {
  static constexpr std::string_view name = "acos";
  static constexpr std::string_view onnx = "Acos";
  static constexpr Accuracy accuracy{1.5, 1.5};
  static constexpr Domain domain = Domain::within_one;
  static auto reference(auto x) { return std::acos(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), a = abs(x);
    auto const parts = half_asin(a);
    V const half = parts.sine + parts.rest, both = half + half;
    V const outer = select(x < zero, right_angles(T(2), -both), both);
    return select(a < V(T(0.5)), right_angles(T(1), -copysign(half, x)), outer);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1));
    return partials(-one / sqrt((one - x) * (one + x)));
  }
};

using InverseTrigonometric = List<Atan, Asin, Acos>;
using Angles = List<Atan2>;

}  // namespace tenon::op

namespace tenon {

/// The arc tangent of floating numbers, in radians. Within 4 ulp in `float`, 3.5 in `double`.
/// PyTorch: `atan`.
template <class X, WellFormed R = MapOf<op::Atan, X>>
constexpr auto atan(X&& x) -> R {
  return map<op::Atan>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Atan, X>>
auto atan(X&& x) -> R;

/// The angle of the points (x, y), from -pi to pi, of floating numbers. Within 3 ulp in `float`, 3
/// in `double`. PyTorch: `atan2`. NumPy: `arctan2`.
template <class Y, class X, WellFormed R = MapOf<op::Atan2, Y, X>>
constexpr auto atan2(Y&& y, X&& x) -> R {
  return map<op::Atan2>(std::forward<Y>(y), std::forward<X>(x));
}
template <class Y, class X, IllFormed R = MapOf<op::Atan2, Y, X>>
auto atan2(Y&& y, X&& x) -> R;

/// The arc sine of floating numbers, in radians; NaN outside of [-1, 1]. Within 2 ulp in `float`,
/// 1.5 in `double`. PyTorch: `asin`.
template <class X, WellFormed R = MapOf<op::Asin, X>>
constexpr auto asin(X&& x) -> R {
  return map<op::Asin>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Asin, X>>
auto asin(X&& x) -> R;

/// The arc cosine of floating numbers, in radians; NaN outside of [-1, 1]. Within 1.5 ulp in
/// `float`, 1.5 in `double`. PyTorch: `acos`.
template <class X, WellFormed R = MapOf<op::Acos, X>>
constexpr auto acos(X&& x) -> R {
  return map<op::Acos>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Acos, X>>
auto acos(X&& x) -> R;

}  // namespace tenon
