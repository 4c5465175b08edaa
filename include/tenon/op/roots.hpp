#pragma once

#include <cmath>
#include <string_view>
#include <utility>

#include <tenon/op/arithmetic.hpp>
#include <tenon/op/exact.hpp>
#include <tenon/op/exponential.hpp>
#include <tenon/op/power.hpp>
#include <tenon/op/predicate.hpp>
#include <tenon/op/rounding.hpp>

/// The cube root and the length of a vector of two numbers.
namespace tenon::op {

/// One step of Newton's method for the cube root of t, with a residual of twice the precision.
template <class V>
TENON_INLINE constexpr V improved_cube_root(V y, V t) {
  V const square = y * y, cube = square * y;
  V const lost = fma(lost_by_product(y, y, square), y, lost_by_product(square, y, cube));
  return y - ((cube - t) + lost) / (V(scalar_of<V>(3)) * square);
}

/// The cube root, of negative numbers too.
struct Cbrt {
  static constexpr std::string_view name = "cbrt";
  static constexpr Accuracy accuracy{0.75, 0.75};
  static constexpr Domain domain = Domain::nonzero;
  static auto reference(auto x) { return std::cbrt(x); }
  template <class X>
  static X symbolic(X x) {
    X const y = applied<Sign>(x) * applied<Pow>(abs(x), X(1.0 / 3));
    X const mended = y - (y - x / (y * y)) * X(1.0 / 3);
    return select(x == X(0), x, select(applied<IsInf>(x), x, mended));
  }
  /// |x| = t * 8^q, with t in [1, 8).
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), one = V(T(1)), e = exponent(a);
    V const q = floor(fma(e, V(T(1) / 3), V(T(1) / 12))), r = e - V(T(3)) * q;
    V const t = mantissa(a) * select(r == V(T(0)), one, select(r == one, V(T(2)), V(T(4))));
    V const y = improved_cube_root(Exp::f(Log::f(t) * V(T(1) / 3)), t);
    auto const is_ordinary = (a > V(T(0))) & (a < V(Layout<T>::infinity));
    return select(is_ordinary, copysign(scale(y, q), x), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(V(scalar_of<V>(1)) / (V(scalar_of<V>(3)) * y * y));
  }
};

/// sqrt(a^2 + b^2), without overflow of the squares; infinite where either is, as C's hypot.
struct Hypot {
  static constexpr std::string_view name = "hypot";
  static constexpr Accuracy accuracy{1.25, 1.25};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto a, auto b) { return std::hypot(a, b); }
  template <class X>
  static X symbolic(X a, X b) {
    X const p = abs(a), q = abs(b), large = maximum(p, q), small = minimum(p, q), zero = X(0);
    X const quotient = select(large == zero, zero, small / large);
    X const inner = large * sqrt(X(1) + quotient * quotient);
    auto const first = applied<IsInf>(p), second = applied<IsInf>(q);
    return select(first | second, X(Layout<double>::infinity), inner);
  }
  template <FloatingValue V>
  static constexpr V f(V a, V b) {
    using T = scalar_of<V>;
    V const p = abs(a), q = abs(b), infinity = V(Layout<T>::infinity);
    V const large = maximum(p, q), n = exponent(large);
    V const x = scale(large, -n), y = scale(minimum(p, q), -n);
    V const length = scale(sqrt(fma(x, x, y * y)), n);
    V const finite = select(large > V(T(0)), length, large);
    return select((p == infinity) | (q == infinity), infinity, finite);
  }
  template <FloatingValue V>
  static constexpr auto d(V a, V b, V y) {
    return partials(a / y, b / y);
  }
};

using RootsUnary = List<Cbrt>;
using RootsBinary = List<Hypot>;

}  // namespace tenon::op

namespace tenon {

/// The cube root of floating numbers, of negative ones too. Within 0.75 ulp in `float`, 0.75 in
/// `double`. NumPy: `cbrt`.
template <class X, WellFormed R = MapOf<op::Cbrt, X>>
constexpr auto cbrt(X&& x) -> R {
  return map<op::Cbrt>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Cbrt, X>>
auto cbrt(X&& x) -> R;

/// sqrt(x^2 + y^2) of floating numbers, without overflow of the squares; infinite where either is.
/// The gradient at (0, 0) is NaN. Within 1.25 ulp in `float`, 1.25 in `double`. PyTorch: `hypot`.
template <class X, class Y, WellFormed R = MapOf<op::Hypot, X, Y>>
constexpr auto hypot(X&& x, Y&& y) -> R {
  return map<op::Hypot>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Hypot, X, Y>>
auto hypot(X&& x, Y&& y) -> R;

}  // namespace tenon
