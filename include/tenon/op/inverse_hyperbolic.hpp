#pragma once

#include <cmath>
#include <string_view>
#include <utility>

#include <tenon/op/roots.hpp>
#include <tenon/op/shifted.hpp>

/// Inverse hyperbolic functions.
namespace tenon::op {

/// log(2 a), for a where 1 is below the last bit of a^2.
template <class V>
TENON_INLINE constexpr V logarithm_of_double(V a) {
  return Log::f(a) + V(scalar_of<V>(0.693147180559945309417));
}
/// From here on asinh and acosh are log(2 a).
template <class T>
inline constexpr T only_logarithm = sizeof(T) == 4 ? T(0x1p14) : T(0x1p30);

struct Asinh {
  static constexpr std::string_view name = "asinh";
  static constexpr std::string_view onnx = "Asinh";
  static constexpr Accuracy accuracy{4, 3.5};
  static auto reference(auto x) { return std::asinh(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), limit = V(only_logarithm<T>), one = V(T(1));
    V const b = clamp(a, V(T(0)), limit);
    V const square = b * b, y = Log1p::f(b + square / (one + sqrt(square + one)));
    return copysign(select(a > limit, logarithm_of_double(a), y), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1));
    return partials(one / applied<Hypot>(x, one));
  }
};

/// NaN below 1.
struct Acosh {
  static constexpr std::string_view name = "acosh";
  static constexpr std::string_view onnx = "Acosh";
  static constexpr Accuracy accuracy{4, 3.5};
  static constexpr Domain domain = Domain::above_one;
  static auto reference(auto x) { return std::acosh(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const limit = V(only_logarithm<T>), t = clamp(x, V(T(0)), limit) - V(T(1));
    V const y = Log1p::f(t + sqrt(fma(t, t, t + t)));
    return select(x > limit, logarithm_of_double(x), y);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1));
    return partials(one / (sqrt(x - one) * sqrt(x + one)));
  }
};

/// Infinite at -1 and 1, NaN beyond.
struct Atanh {
  static constexpr std::string_view name = "atanh";
  static constexpr std::string_view onnx = "Atanh";
  static constexpr Accuracy accuracy{4, 3};
  static constexpr Domain domain = Domain::within_one;
  static auto reference(auto x) { return std::atanh(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), y = Log1p::f((a + a) / (V(T(1)) - a));
    return copysign(select(a > V(T(1)), V(Layout<T>::nan), V(T(0.5)) * y), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1));
    return partials(one / ((one - x) * (one + x)));
  }
};

using InverseHyperbolic = List<Asinh, Acosh, Atanh>;

}  // namespace tenon::op

namespace tenon {

/// The inverse hyperbolic sine of floating numbers. Within 4 ulp in `float`, 3.5 in `double`.
/// PyTorch: `asinh`.
template <class X, WellFormed R = MapOf<op::Asinh, X>>
constexpr auto asinh(X&& x) -> R {
  return map<op::Asinh>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Asinh, X>>
auto asinh(X&& x) -> R;

/// The inverse hyperbolic cosine of floating numbers; NaN below 1. Within 4 ulp in `float`, 3.5 in
/// `double`. PyTorch: `acosh`.
template <class X, WellFormed R = MapOf<op::Acosh, X>>
constexpr auto acosh(X&& x) -> R {
  return map<op::Acosh>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Acosh, X>>
auto acosh(X&& x) -> R;

/// The inverse hyperbolic tangent of floating numbers; infinite at -1 and 1, NaN beyond. Within 4
/// ulp in `float`, 3 in `double`. PyTorch: `atanh`.
template <class X, WellFormed R = MapOf<op::Atanh, X>>
constexpr auto atanh(X&& x) -> R {
  return map<op::Atanh>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Atanh, X>>
auto atanh(X&& x) -> R;

}  // namespace tenon
