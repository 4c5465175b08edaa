#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/angle.hpp>
#include <tenon/op/exact.hpp>
#include <tenon/op/exponential.hpp>

namespace tenon::op {

/// s as f / (2 + f) in two parts.
template <class V>
TENON_INLINE constexpr Pair<V> divided_by_next(V f) {
  V const two = V(scalar_of<V>(2)), divisor = f + two, s = f / divisor, product = s * divisor;
  V const rest = (f - product) - lost_by_product(s, divisor, product);
  return {s, (rest - s * (f - (divisor - two))) / divisor};
}

/// log((1 + s) / (1 - s)) - 2 s as s z (2/3 + z (2/5 + ...)) in two parts, with z = s^2.
template <class V>
TENON_INLINE constexpr Pair<V> logarithm_beyond_first(Pair<V> s) {
  using C = Coefficients<scalar_of<V>>;
  V const z = s.high * s.high, twice = s.high + s.high;
  V const z_low = fma(twice, s.low, lost_by_product(s.high, s.high, z));
  V const third = V(C::two_thirds), fifth = V(C::two_fifths);
  V const more = z * fma(z, polynomial(z, C::log_rest), fifth), factor = third + more;
  V const factor_low = fma(z_low, fifth, (more - (factor - third)) + V(C::two_thirds_low));
  V const w = z * factor, y = s.high * w;
  V const w_low = fma(z, factor_low, fma(z_low, factor, lost_by_product(z, factor, w)));
  return {y, fma(s.high, w_low, fma(s.low, w, lost_by_product(s.high, w, y)))};
}

/// log(x) to about 2^-64 (in float to 2^-38) for positive finite x.
template <class V>
TENON_INLINE constexpr Pair<V> extended_logarithm(V x) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const one = V(T(1)), whole = mantissa(x);
  auto const big = whole > V(T(1.41421356237309504880));
  V const n = exponent(x) + select(big, one, V(T(0)));
  auto const s = divided_by_next(select(big, whole * V(T(0.5)), whole) - one);
  auto const rest = logarithm_beyond_first(s);
  V const power = n * V(C::ln2_high), first = s.high + s.high;
  V const partial = power + first, total = partial + rest.high;  // each addend is smaller than the
                                                                 // sum before it
  V const lost = (first - (partial - power)) + (rest.high - (total - partial));
  V const low = lost + fma(n, V(C::ln2_low), fma(V(T(2)), s.low, rest.low));
  V const high = total + low;
  return {high, low - (high - total)};
}

/// a^b for a >= 0, by a logarithm with extended precision.
template <class V>
TENON_INLINE constexpr V power_by_pairs(V a, V b) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const zero = V(T(0)), infinity = V(Layout<T>::infinity);
  auto const log = extended_logarithm(a);
  V const product = b * log.high;
  V const product_low = fma(b, log.low, lost_by_product(b, log.high, product));
  V const outside = b * select(a == zero, -infinity, a);
  V const high = select((a > zero) & (a < infinity), product, outside);
  V const within = clamp(high, V(C::exp_underflow), V(C::exp_overflow));
  return exponential(within, select(within == high, product_low, zero)).value();
}

/// The same; in float by way of double where there is one.
template <class V>
TENON_INLINE constexpr V power_of_positive(V a, V b) {
  using T = scalar_of<V>;
  if constexpr (may_have_no_double<V>) {
    if (has_no_double(a)) return power_by_pairs(a, b);
  }
  if constexpr (sizeof(T) == 4)
    return convert<float>(Exp::f(convert<double>(b) * Log::f(convert<double>(a))));
  else return power_by_pairs(a, b);
}

/// a^b with the special cases of C's pow: 1 for b = 0 and for a = 1 whatever the other is; a
/// negative a requires an integer b. Within 2 units in the last place.
struct Pow {
  static constexpr std::string_view name = "pow";
  static constexpr std::string_view onnx = "Pow";
  static constexpr Accuracy accuracy{rounded_from_double, 1.5};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto a, auto b) { return std::pow(a, b); }
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
  /// No branch computes 0 * infinity, so that second derivatives at zero are finite, too.
  template <FloatingValue V>
  static constexpr auto d(V a, V b, V y) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1)), infinity = V(Layout<T>::infinity);
    mask_of<V> const is_flat = (b == zero) & !(abs(a) > zero);
    V const below = applied<Pow>(a, select(is_flat, one, b - one));
    mask_of<V> const is_endless = abs(b) == infinity, is_steep = abs(below) == infinity;
    mask_of<V> const vanishes = (is_endless & (below == zero)) | (is_steep & (b == zero));
    V const first = select(is_flat | vanishes, zero, b * below);
    mask_of<V> const level = (y == zero) | ((a == zero) & (b == zero));  // 0^0 has the derivative
                                                                         // of 0^b
    V const log = applied<Log>(select(level, one, a));
    return partials(first, select(level, zero, y * log));
  }
};

using Powers = List<Pow>;

}  // namespace tenon::op

namespace tenon {

/// x^y of floating numbers, with the special cases of C's `pow`. The gradient with respect to y is
/// 0 where x is 0 and y >= 0. Within 0.501 ulp in `float`, 1.5 in `double`. PyTorch: `pow`.
template <class X, class Y, WellFormed R = MapOf<op::Pow, X, Y>>
constexpr auto pow(X&& x, Y&& y) -> R {
  return map<op::Pow>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Pow, X, Y>>
auto pow(X&& x, Y&& y) -> R;

}  // namespace tenon
