#pragma once

#include <cmath>
#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>
#include <tenon/op/power.hpp>

/// Logarithms and powers of the bases 2 and 10.
namespace tenon::op {

/// log2(e), log10(e) and log10(2), each in two parts; the products of the high part of log10(2)
/// with exponents are exact.
template <class T>
struct BaseCoefficients;
template <>
struct BaseCoefficients<float> {
  static constexpr float log2_e = 0x1.715476p+0f, log2_e_low = 1.92596299e-8f;
  static constexpr float log10_e = 0x1.bcb7b2p-2f, log10_e_low = -1.01030501e-8f;
  static constexpr float log10_2 = 0x1.344p-2f, log10_2_low = 4.60503898e-6f;
};
template <>
struct BaseCoefficients<double> {
  static constexpr double log2_e = 0x1.71547652b82fep+0, log2_e_low = 2.0355273740931033e-17;
  static constexpr double log10_e = 0x1.bcb7b1526e50ep-2, log10_e_low = 1.098319650216765e-17;
  static constexpr double log10_2 = 0x1.34413509f7p-2, log10_2_low = 1.42050232272661e-13;
};

/// x = m * 2^n with m within a factor sqrt(2) of one: the logarithm of m, and n.
template <class V>
struct SplitLogarithm {
  V of_mantissa, exponent;
};

template <class V>
TENON_INLINE constexpr SplitLogarithm<V> split_logarithm(V x) {
  using T = scalar_of<V>;
  V const zero = V(T(0)), m = mantissa(x);
  auto const big = m > V(T(1.41421356237309504880));
  V const n = exponent(x) + select(big, V(T(1)), zero);
  return {logarithm(select(big, m * V(T(0.5)), m), zero), n};
}

/// The logarithm y of a positive finite x; that of any other x.
template <class V>
TENON_INLINE constexpr V logarithm_anywhere(V x, V y) {
  using T = scalar_of<V>;
  V const zero = V(T(0)), infinity = V(Layout<T>::infinity);
  V const outside = select(x == zero, -infinity, V(Layout<T>::nan));
  return select(x <= zero, outside, select(x < infinity, y, x));
}

/// The natural logarithm times the constant of `Op`: its form in a graph, and its derivative.
template <class Op>
struct TimesLogarithm {
  static constexpr Domain domain = Domain::positive;
  template <class X>
  static X symbolic(X x) {
    return applied<Log>(x) * X(Op::factor);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(Op::factor)) / x);
  }
};

/// The logarithm of base 2: -infinity at zero, NaN below. Exact for powers of 2.
struct Log2 : TimesLogarithm<Log2> {
  static constexpr std::string_view name = "log2";
  static constexpr Accuracy accuracy{2, 1.5};
  static auto reference(auto x) { return std::log2(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using C = BaseCoefficients<scalar_of<V>>;
    auto const log = split_logarithm(x);
    V const low = log.of_mantissa * V(C::log2_e_low);
    return logarithm_anywhere(x, log.exponent + fma(log.of_mantissa, V(C::log2_e), low));
  }
  static constexpr double factor = 1.4426950408889634;
};

/// The logarithm of base 10: -infinity at zero, NaN below.
struct Log10 : TimesLogarithm<Log10> {
  static constexpr std::string_view name = "log10";
  static constexpr Accuracy accuracy{2.5, 2};
  static auto reference(auto x) { return std::log10(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using C = BaseCoefficients<scalar_of<V>>;
    auto const log = split_logarithm(x);
    V const low = fma(log.of_mantissa, V(C::log10_e_low), log.exponent * V(C::log10_2_low));
    V const product = fma(log.of_mantissa, V(C::log10_e), low);
    return logarithm_anywhere(x, fma(log.exponent, V(C::log10_2), product));
  }
  static constexpr double factor = 0.4342944819032518;
};

/// 2^x.
struct Exp2 {
  static constexpr std::string_view name = "exp2";
  static constexpr Accuracy accuracy{1.5, 1.5};
  static auto reference(auto x) { return std::exp2(x); }
  template <class X>
  static X symbolic(X x) {
    return applied<Pow>(X(2), x);
  }
  /// Beyond the bounds it is zero or infinite.
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    constexpr T bias = T(Layout<T>::bias);
    V const a = clamp(x, V(-bias - T(Layout<T>::mantissa_bits + 3)), V(bias + T(2)));
    V const n = round_even(a), r = (a - n) * V(T(0.693147180559945309417));
    return Exponential<V>{reduced_exponential(r), n}.value();
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(V(scalar_of<V>(0.693147180559945309417)) * y);
  }
};

using Bases = List<Log2, Log10, Exp2>;

}  // namespace tenon::op

namespace tenon {

/// The logarithm of base 2 of floating numbers; -infinity at 0, NaN below; exact for powers of 2.
/// Within 2 ulp in `float`, 1.5 in `double`. PyTorch: `log2`.
template <class X, WellFormed R = MapOf<op::Log2, X>>
constexpr auto log2(X&& x) -> R {
  return map<op::Log2>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Log2, X>>
auto log2(X&& x) -> R;

/// The logarithm of base 10 of floating numbers; -infinity at 0, NaN below. Within 2.5 ulp in
/// `float`, 2 in `double`. PyTorch: `log10`.
template <class X, WellFormed R = MapOf<op::Log10, X>>
constexpr auto log10(X&& x) -> R {
  return map<op::Log10>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Log10, X>>
auto log10(X&& x) -> R;

/// 2^x of floating numbers. Within 1.5 ulp in `float`, 1.5 in `double`. PyTorch: `exp2`.
template <class X, WellFormed R = MapOf<op::Exp2, X>>
constexpr auto exp2(X&& x) -> R {
  return map<op::Exp2>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Exp2, X>>
auto exp2(X&& x) -> R;

}  // namespace tenon
