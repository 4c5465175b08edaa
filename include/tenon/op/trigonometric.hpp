#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/angle.hpp>
#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/reference.hpp>

namespace tenon::op {

template <class V>
TENON_INLINE constexpr V modulo_four(V n) {
  return fma(V(-4.0), floor(n * V(0.25)), n);
}

/// sin(angle + turn * pi/2), in double.
template <class D>
TENON_INLINE constexpr D sine(Angle<D> const& angle, double turn) {
  using C = Coefficients<double>;
  D const r = angle.rest, z = r * r, half = z * D(0.5), one = D(1.0);
  D const sin = fma(r * z, polynomial(z, C::sin), r);
  D const top = one - half;
  D const cos = top + fma(z * z, polynomial(z, C::cos), (one - top) - half);
  D const n = modulo_four(angle.quarter) + D(turn);
  D const y = select((n == one) | (n == D(3.0)), cos, sin);
  return select((n >= D(2.0)) & (n < D(4.0)), -y, y);
}

/// sin(x + turn * pi/2), for every finite x. For float it is computed in double, and so correctly
/// rounded but for one in some millions.
template <class V>
TENON_INLINE constexpr V sine_by_quarters(V x, scalar_of<V> turn) {
  return convert<scalar_of<V>>(sine(reduced_angle(convert<double>(x)), double{turn}));
}

/// The same in double for moderate floats, of turns 0 and 1: with x = n pi + r, where n (for turn
/// 1: n + 1/2) is an integer, it is sin(r) or its opposite. With a fused multiply-add, pi in two
/// parts is enough: no float is closer to a multiple of pi/2 than 2^-30. One polynomial over half a
/// turn costs less than two over a quarter.
template <class D>
TENON_INLINE constexpr D sine_by_halves(D x, double turn) {
  D const shift = D(0x1.8p52), part = D(0.5 * turn);
  D const shifted = fma(x, D(0.31830988618379067154), part) + shift, n = (shifted - shift) - part;
  D const reduced = fma(n, D(-3.14159265358979311600), x);  // exact
  D const r = fma(n, D(-1.22464679914735317636e-16), reduced), z = r * r;
  D const y = fma(r * z, polynomial(z, Coefficients<double>::half_turn), r);
  return from_bits(bits(y) ^ (bits(shifted) << 63));
}

template <class V>
TENON_INLINE constexpr V sine(V x, scalar_of<V> turn) {
  if constexpr (may_have_no_double<V>) {
    if (has_no_double(x)) return sine_in_float(reduced_angle_in_float(x), turn);
  }
  if constexpr (sizeof(scalar_of<V>) == 4 && fma_rounds_once) {
    if (!__builtin_is_constant_evaluated()) {
      V const size = abs(x), y = convert<float>(sine_by_halves(convert<double>(x), double{turn}));
      auto const large = (size > V(float{moderate_angle})) & (size < V(Layout<float>::infinity));
      return rarely(
          large, x, [turn](auto lane) { return sine_by_quarters(lane, turn); }, y);
    }
  }
  return sine_by_quarters(x, turn);
}

template <class V>
TENON_INLINE constexpr V tangent(V x) {
  if constexpr (may_have_no_double<V>) {
    if (has_no_double(x)) {
      auto const angle = reduced_angle_in_float(x);
      return sine_in_float(angle, 0) / sine_in_float(angle, 1);
    }
  }
  auto const angle = reduced_angle(convert<double>(x));
  return convert<scalar_of<V>>(sine(angle, 0) / sine(angle, 1));
}

struct Cos;

struct Sin {
  static constexpr std::string_view name = "sin";
  static constexpr std::string_view onnx = "Sin";
  static constexpr Accuracy accuracy{rounded_from_double, 2.5};
  static auto reference(auto x) { return std::sin(x); }
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
  static constexpr Accuracy accuracy{rounded_from_double, 2.5};
  static auto reference(auto x) { return std::cos(x); }
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
  static constexpr Accuracy accuracy{rounded_from_double, 4};
  static constexpr Domain domain = Domain::within_one;
  static auto reference(auto x) { return std::tan(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return select(x == V(scalar_of<V>(0)), x, tangent(x));
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(fma(y, y, V(scalar_of<V>(1))));
  }
};

using Trigonometric = List<Sin, Cos, Tan>;

}  // namespace tenon::op

namespace tenon {

/// The sine of floating numbers, in radians. Within 0.501 ulp in `float`, 2.5 in `double`. PyTorch:
/// `sin`.
template <class X, WellFormed R = MapOf<op::Sin, X>>
constexpr auto sin(X&& x) -> R {
  return map<op::Sin>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Sin, X>>
auto sin(X&& x) -> R;

/// The cosine of floating numbers, in radians. Within 0.501 ulp in `float`, 2.5 in `double`.
/// PyTorch: `cos`.
template <class X, WellFormed R = MapOf<op::Cos, X>>
constexpr auto cos(X&& x) -> R {
  return map<op::Cos>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Cos, X>>
auto cos(X&& x) -> R;

/// The tangent of floating numbers, in radians. Within 0.501 ulp in `float`, 4 in `double`.
/// PyTorch: `tan`.
template <class X, WellFormed R = MapOf<op::Tan, X>>
constexpr auto tan(X&& x) -> R {
  return map<op::Tan>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Tan, X>>
auto tan(X&& x) -> R;

}  // namespace tenon
