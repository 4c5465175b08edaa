#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/shifted.hpp>

namespace tenon::op {

/// e^a / 2 where e^a itself overflows.
template <class V>
TENON_INLINE constexpr V half_power(V a) {
  using T = scalar_of<V>;
  V const root = Exp::f(a * V(T(0.5)));
  return (V(T(0.5)) * root) * root;
}

template <class T>
inline constexpr T largest_exponent = sizeof(T) == 4 ? T(88) : T(709);

struct Cosh;

struct Sinh {
  static constexpr std::string_view name = "sinh";
  static constexpr std::string_view onnx = "Sinh";
  static constexpr Accuracy accuracy{4, 4};
  static auto reference(auto x) { return std::sinh(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), t = Expm1::f(a), y = V(T(0.5)) * (t + t / (t + V(T(1))));
    return copysign(select(a > V(largest_exponent<T>), half_power(a), y), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Cosh>(x));
  }
};

struct Cosh {
  static constexpr std::string_view name = "cosh";
  static constexpr std::string_view onnx = "Cosh";
  static constexpr Accuracy accuracy{4, 4};
  static auto reference(auto x) { return std::cosh(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), e = Exp::f(a), half = V(T(0.5));
    return select(a > V(largest_exponent<T>), half_power(a), fma(half, e, half / e));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Sinh>(x));
  }
};

using Hyperbolic = List<Sinh, Cosh>;

}  // namespace tenon::op

namespace tenon {

/// The hyperbolic sine of floating numbers. Within 4 ulp in `float`, 4 in `double`. PyTorch:
/// `sinh`.
template <class X, WellFormed R = MapOf<op::Sinh, X>>
constexpr auto sinh(X&& x) -> R {
  return map<op::Sinh>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Sinh, X>>
auto sinh(X&& x) -> R;

/// The hyperbolic cosine of floating numbers. Within 4 ulp in `float`, 4 in `double`. PyTorch:
/// `cosh`.
template <class X, WellFormed R = MapOf<op::Cosh, X>>
constexpr auto cosh(X&& x) -> R {
  return map<op::Cosh>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Cosh, X>>
auto cosh(X&& x) -> R;

}  // namespace tenon
