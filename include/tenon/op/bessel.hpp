#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>
#include <tenon/op/special_coefficients.hpp>

/// The modified Bessel functions of the first kind.
namespace tenon::op {

/// The sum of (x / 2)^(2k + order) / (k! (k + order)!), beyond the range of double infinite.
template <class N>
N reference_bessel(N x, int order) {
  N const half = x / 2, square = half * half;
  if (!(std::fabs(x) < 720))
    return (order == 1 ? x : std::fabs(x)) * std::numeric_limits<N>::infinity();
  N term = order == 1 ? half : N(1), total = term;
  for (int k = 1; std::fabs(term) > std::fabs(total) * std::numeric_limits<N>::epsilon() / 8; ++k)
    total += term *= square / (N(k) * N(k + order));
  return total;
}

/// exp(a) / sqrt(a) times a polynomial in 16 / a - 1, for a of at least 8. exp(a / 2) is twice a
/// factor, as exp(a) is infinite before the product is.
template <class V, class T, std::size_t N>
TENON_INLINE constexpr V large_bessel(V a, T const (&terms)[N]) {
  V const half = applied<Exp>(a * V(T(0.5)));
  V const factor = polynomial(V(T(16)) / a - V(T(1)), terms) / sqrt(a);
  return select(a < V(Layout<T>::infinity), half * factor * half, a);
}

struct I1;

/// The modified Bessel function of order 0.
struct I0 {
  static constexpr std::string_view name = "i0";
  static constexpr Accuracy accuracy{6, 6};
  template <class N>
  static N reference(N x) {
    return reference_bessel(x, 0);
  }
  template <class X>
  static X symbolic(X x) {
    return f(x);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = SpecialCoefficients<T>;
    V const a = abs(x), half = a * V(T(0.5)), square = half * half, limit = V(T(8));
    V const series = fma(square, polynomial(square, C::i0), V(T(1)));
    return select(a < limit, series, large_bessel(a, C::i0_large));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<I1>(x));
  }
};

/// The modified Bessel function of order 1, the derivative of I0.
struct I1 {
  static constexpr std::string_view name = "i1";
  static constexpr Accuracy accuracy{5, 5};
  template <class N>
  static N reference(N x) {
    return reference_bessel(x, 1);
  }
  template <class X>
  static X symbolic(X x) {
    return f(x);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = SpecialCoefficients<T>;
    V const a = abs(x), half = a * V(T(0.5)), square = half * half, limit = V(T(8));
    V const series = half * fma(square, polynomial(square, C::i1), V(T(1)));
    return copysign(select(a < limit, series, large_bessel(a, C::i1_large)), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y) {
    using T = scalar_of<V>;
    auto const is_zero = x == V(T(0));
    V const quotient = select(is_zero, V(T(0.5)), y / select(is_zero, V(T(1)), x));
    return partials(applied<I0>(x) - quotient);
  }
};

using BesselUnary = List<I0, I1>;

}  // namespace tenon::op

namespace tenon {

/// The modified Bessel function of the first kind of order 0, of floating numbers. Gradient: `i1`.
/// Within 6 ulp in `float`, 6 in `double`. PyTorch: `special.i0`. NumPy: `i0`.
template <class X, WellFormed R = MapOf<op::I0, X>>
constexpr auto i0(X&& x) -> R {
  return map<op::I0>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::I0, X>>
auto i0(X&& x) -> R;

/// The modified Bessel function of the first kind of order 1, of floating numbers. Gradient: `i0(x)
/// - i1(x) / x`. Within 5 ulp in `float`, 5 in `double`. PyTorch: `special.i1`. SciPy: `i1`.
template <class X, WellFormed R = MapOf<op::I1, X>>
constexpr auto i1(X&& x) -> R {
  return map<op::I1>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::I1, X>>
auto i1(X&& x) -> R;

}  // namespace tenon
