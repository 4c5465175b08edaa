#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/angle.hpp>
#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>

namespace tenon::op {

template <class V>
[[gnu::always_inline]] constexpr V modulo_four(V n) {
  return fma(V(-4.0), floor(n * V(0.25)), n);
}

/// sin(angle + turn * pi/2), in double.
template <class D>
[[gnu::always_inline]] constexpr D sine(Angle<D> const& angle, double turn) {
  using C = Coefficients<double>;
  D const r = angle.rest, z = r * r, half = z * D(0.5), one = D(1.0);
  D const sin = fma(r * z, polynomial(z, C::sin), r);
  D const top = one - half;
  D const cos = top + fma(z * z, polynomial(z, C::cos), (one - top) - half);
  D const n = modulo_four(angle.quarter) + D(turn);
  D const y = select((n == one) | (n == D(3.0)), cos, sin);
  return select((n >= D(2.0)) & (n < D(4.0)), -y, y);
}

/// sin(x + turn * pi/2), for every finite x. Of float it is computed in double, and so rounded
/// correctly but for one in some millions.
template <class V>
[[gnu::always_inline]] constexpr V sine(V x, scalar_of<V> turn) {
  return convert<scalar_of<V>>(sine(reduced_angle(convert<double>(x)), double{turn}));
}

struct Cos;

struct Sin {
  static constexpr std::string_view name = "sin";
  static constexpr std::string_view onnx = "Sin";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return select(x == V(scalar_of<V>(0)), x, sine(x, scalar_of<V>(0)));  // -0 stays -0
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Cos>(x));
  }
};

struct Cos {
  static constexpr std::string_view name = "cos";
  static constexpr std::string_view onnx = "Cos";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return sine(x, scalar_of<V>(1));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(-applied<Sin>(x));
  }
};

struct Tan {
  static constexpr std::string_view name = "tan";
  static constexpr std::string_view onnx = "Tan";
  template <FloatingValue V>
  static constexpr V f(V x) {
    auto const angle = reduced_angle(convert<double>(x));
    V const y = convert<scalar_of<V>>(sine(angle, 0) / sine(angle, 1));
    return select(x == V(scalar_of<V>(0)), x, y);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(fma(y, y, V(scalar_of<V>(1))));
  }
};

using Trigonometric = List<Sin, Cos, Tan>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise sine, of radians.
template <class X, Sound R = MapOf<op::Sin, X>>
constexpr auto sin(X&& x) -> R {
  return map<op::Sin>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Sin, X>>
auto sin(X&& x) -> R;

/// Elementwise cosine, of radians.
template <class X, Sound R = MapOf<op::Cos, X>>
constexpr auto cos(X&& x) -> R {
  return map<op::Cos>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Cos, X>>
auto cos(X&& x) -> R;

/// Elementwise tangent, of radians.
template <class X, Sound R = MapOf<op::Tan, X>>
constexpr auto tan(X&& x) -> R {
  return map<op::Tan>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Tan, X>>
auto tan(X&& x) -> R;

}  // namespace tenon
