#pragma once

#include <cstddef>
#include <utility>

#include <tenon/op/coefficients.hpp>
#include <tenon/op/intrinsics.hpp>

/// Common parts of several elementary functions.
namespace tenon::op {

/// A polynomial, lowest power first, by Horner's rule, unrolled.
template <class V, class T, std::size_t N, std::size_t... I>
TENON_INLINE constexpr V polynomial(V x, T const (&c)[N], std::index_sequence<I...>) {
  V y = V(c[N - 1]);
  ((y = fma(y, x, V(c[N - 2 - I]))), ...);
  return y;
}
template <class V, class T, std::size_t N>
TENON_INLINE constexpr V polynomial(V x, T const (&c)[N]) {
  return polynomial(x, c, std::make_index_sequence<N - 1>{});
}

/// exp(x) as (1 + less_one) * 2^power: exact near zero, and scaled last where it over- or
/// underflows.
template <class V>
struct Exponential {
  V less_one;
  V power;
  constexpr V value() const { return scale(V(scalar_of<V>(1)) + less_one, power); }
};

template <class V>
TENON_INLINE constexpr V reduced_exponential(V r) {  // exp(r) - 1 for |r| < 0.39
  return fma(r * r, polynomial(r, Coefficients<scalar_of<V>>::exp), r);
}

/// exp(high + low), for high within the range of exponents and |low| below 0.04.
template <class V>
TENON_INLINE constexpr Exponential<V> exponential(V high, V low) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const n = round_even(high * V(T(1.44269504088896340736)));
  V const reduced = fma(n, V(-C::ln2_high), high);  // exact
  return {reduced_exponential(fma(n, V(-C::ln2_low), reduced) + low), n};
}
template <class V>
TENON_INLINE constexpr Exponential<V> exponential(V x) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const n = round_even(x * V(T(1.44269504088896340736)));
  V const reduced = fma(n, V(-C::ln2_high), x);  // exact
  return {reduced_exponential(fma(n, V(-C::ln2_low), reduced)), n};
}

/// exp(-a^2 / 2) for a up to `tail_end`, where a^2 alone would lose as many bits as it has before
/// the point: the upper half of a is squared exactly.
template <class V>
TENON_INLINE constexpr Exponential<V> gaussian(V a) {
  using T = scalar_of<V>;
  using L = Layout<T>;
  constexpr auto dropped = (typename L::Bits{1} << ((L::mantissa_bits + 2) / 2)) - 1;
  V const upper = from_bits(bits(a) & decltype(bits(a))(static_cast<typename L::Bits>(~dropped)));
  V const low = (a - upper) * (a + upper) * V(T(-0.5));
  return exponential(upper * upper * V(T(-0.5)), low);
}

/// exp(a^2 / 2) Phi(-a), with the normal distribution Phi, as shape / (a + k); ratio is a / (a +
/// k).
template <class V>
struct ScaledTail {
  V shape;
  V ratio;
  constexpr V value() const {
    using T = scalar_of<V>;
    return shape * (V(T(1)) - ratio) * V(T(1) / Coefficients<T>::tail_middle);
  }
  constexpr V times_argument() const { return shape * ratio; }
};

/// For a from zero to `tail_end`.
template <class V>
TENON_INLINE constexpr ScaledTail<V> scaled_tail(V a) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const k = V(C::tail_middle), one = V(T(1));
  V const rough = a / (a + k), lost = fma(-rough, a, fma(-rough, k, a));  // a - rough * (a + k)
  V const rest = lost * (one - rough) * V(T(1) / C::tail_middle);
  V const q = fma(rough, V(T(2)), -one) + (rest + rest);  // (a - k) / (a + k)
  return {polynomial(q, C::tail), rough + rest};
}

/// log(m * 2^n) for m within a factor sqrt(2) of one (after fdlibm's e_log.c).
template <class V>
TENON_INLINE constexpr V logarithm(V m, V n) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const f = m - V(T(1)), s = f / (f + V(T(2))), z = s * s;
  V const half = f * f * V(T(0.5));
  V const low = fma(s, fma(z, polynomial(z, C::log), half), n * V(C::ln2_low));
  return fma(n, V(C::ln2_high), f - (half - low));
}

}  // namespace tenon::op
