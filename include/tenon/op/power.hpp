#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/angle_in_float.hpp>
#include <tenon/op/exact.hpp>
#include <tenon/op/exponential.hpp>

namespace tenon::op {

/// log(x) to about 2^-60 for positive finite x: 2 s + s z P(z) with s = f / (2 + f) in two parts.
template <class V>
[[gnu::always_inline]] constexpr Pair<V> extended_logarithm(V x) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const one = V(T(1)), two = V(T(2)), whole = mantissa(x);
  auto const big = whole > V(T(1.41421356237309504880));
  V const n = exponent(x) + select(big, one, V(T(0)));
  V const f = select(big, whole * V(T(0.5)), whole) - one, divisor = f + two;
  V const s = f / divisor, z = s * s;
  auto const product = exact_product(s, divisor);
  V const s_low = ((f - product.high) - product.low - s * (f - (divisor - two))) / divisor;
  V const power = n * V(C::ln2_high), sum = power + two * s;
  V const lost = two * s - (sum - power);  // |power| is the larger, or zero
  V const low = lost + fma(s, z * polynomial(z, C::log), fma(n, V(C::ln2_low), two * s_low));
  V const high = sum + low;
  return {high, low - (high - sum)};
}

/// a^b for a >= 0, by a logarithm that has more bits.
template <class V>
[[gnu::always_inline]] constexpr V power_by_pairs(V a, V b) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  auto const log = extended_logarithm(a);
  auto const product = exact_product(b, log.high);
  V const low = fma(b, log.low, product.low), plain = b * Log::f(a);
  V const high = select((a > V(T(0))) & (a < V(Layout<T>::infinity)), product.high, plain);
  V const within = clamp(high, V(C::exp_underflow), V(C::exp_overflow));
  return exponential(within, select(within == high, low, V(T(0)))).value();
}

/// The same, in float through double where there is one.
template <class V>
[[gnu::always_inline]] constexpr V power_of_positive(V a, V b) {
  using T = scalar_of<V>;
  if constexpr (may_have_no_double<V>) {
    if (has_no_double(a)) return power_by_pairs(a, b);
  }
  if constexpr (sizeof(T) == 4)
    return convert<float>(Exp::f(convert<double>(b) * Log::f(convert<double>(a))));
  else return power_by_pairs(a, b);
}

/// a^b as C's pow has it in every special case: 1 for b = 0 and for a = 1 whatever the other is; a
/// negative a needs an integer b. In double some units in the last place where |b log a| is
/// above 50.
struct Pow {
  static constexpr std::string_view name = "pow";
  static constexpr std::string_view onnx = "Pow";
  template <FloatingValue V>
  static constexpr V f(V a, V b) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1)), infinity = V(Layout<T>::infinity);
    V const half = b * V(T(0.5)), size = abs(a);
    mask_of<V> const integer = floor(b) == b, odd = integer & (floor(half) != half);
    mask_of<V> const is_one = (b == zero) | (a == one) | ((size == one) & (abs(b) == infinity));
    V const y = select(is_one, one, power_of_positive(size, b));
    V const signed_y = select(odd, copysign(y, a), y);
    return select((a < zero) & (a > -infinity) & !integer, V(Layout<T>::nan), signed_y);
  }
  template <FloatingValue V>
  static constexpr auto d(V a, V b, V y) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), below = applied<Pow>(a, b - V(T(1)));
    V const first = select((b == zero) | (below == zero), zero, b * below);  // b may be infinite
    return partials(first, select(y == zero, zero, y * applied<Log>(a)));
  }
};

using Powers = List<Pow>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise x^y. PyTorch: `pow`.
template <class X, class Y, Sound R = MapOf<op::Pow, X, Y>>
constexpr auto pow(X&& x, Y&& y) -> R {
  return map<op::Pow>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::Pow, X, Y>>
auto pow(X&& x, Y&& y) -> R;

}  // namespace tenon
