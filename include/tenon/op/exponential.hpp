#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/elementary.hpp>
#include <tenon/op/exp_table.hpp>
#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/pieces.hpp>
#include <tenon/op/reference.hpp>

namespace tenon::op {

struct Exp {
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view onnx = "Exp";
  static constexpr Accuracy accuracy{1.5, 2};
  static auto reference(auto x) { return std::exp(x); }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    using C = Coefficients<scalar_of<V>>;
    if constexpr (looks_up<V>) return exponential_by_table(x);
    else return exponential(clamp(x, V(C::exp_underflow), V(C::exp_overflow))).value();
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(y);
  }
};

/// -infinity at zero, NaN below.
struct Log {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view onnx = "Log";
  static constexpr Accuracy accuracy{1.5, 1};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x) { return std::log(x); }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), infinity = V(Layout<T>::infinity), m = mantissa(x);
    auto const big = m > V(T(1.41421356237309504880));
    V const n = exponent(x) + select(big, V(T(1)), zero);
    V const y = logarithm(select(big, m * V(T(0.5)), m), n);
    V const outside = select(x == zero, -infinity, V(Layout<T>::nan));
    return select(x <= zero, outside, select(x < infinity, y, x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / x);
  }
};

struct Tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view onnx = "Tanh";
  static constexpr Accuracy accuracy{5, 7};
  static auto reference(auto x) { return std::tanh(x); }
  /// With m = exp(2 |x|) - 1 it is m / (m + 2); from 22 on it is 1.
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    if constexpr (looks_up<V>) {
      return odd_by_pieces<TanhPieces>(x);
    } else {
      using T = scalar_of<V>;
      V const one = V(T(1)), a = clamp(abs(x), V(T(0)), V(T(22)));
      auto const exp = exponential(a + a);
      V const power = scale(one, exp.power), m = fma(power, exp.less_one, power - one);
      return copysign(m / (m + V(T(2))), x);
    }
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    V const one = V(scalar_of<V>(1));
    return partials((one - y) * (one + y));
  }
};

/// From here down x * sigmoid(x) is zero; from 44 on it is x.
template <class T>
inline constexpr T gate_low = Coefficients<T>::exp_underflow * T(1.6);

template <class V>
TENON_INLINE constexpr V clamped_gate(V z) {
  using T = scalar_of<V>;
  return clamp(z, V(gate_low<T>), V(T(44)));
}

/// x * sigmoid(z), with `exp` = exp(-z) = e 2^n, as x / (2^-n + e) * 2^-n: this neither overflows
/// nor loses bits where sigmoid(z) is subnormal. x >= z or x is one; z is in the range of `gate`.
template <class V>
TENON_INLINE constexpr V gated(V x, Exponential<V> exp) {
  using T = scalar_of<V>;
  V const one = V(T(1)), power = scale(one, -exp.power);
  V const limited = clamp(x, V(gate_low<T>), V(Layout<T>::infinity));
  return scale(limited / ((power + one) + exp.less_one), -exp.power);
}

/// sigmoid(x) as s + s q with e = exp(-|x|), q = -e / (1 + e), and s = 1, or e below zero: the
/// rounding error of q is small relative to s where e is small, and e itself is nearly exact.
template <class V>
TENON_INLINE constexpr V gate_by_table(V x) {
  V const e = near_exponential_by_table(at_least(-abs(x), V(Coefficients<float>::exp_underflow)));
  V const s = select(x < V(0.0f), e, V(1.0f));
  return fma(s, e / (V(-1.0f) - e), s);
}

/// 1 / (1 + exp(-x)).
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view onnx = "Sigmoid";
  static constexpr Accuracy accuracy{2.5, 3.5};
  static auto reference(auto x) { return reference_sigmoid(x); }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    if constexpr (looks_up<V>) return gate_by_table(x);
    else return gated(V(scalar_of<V>(1)), exponential(-clamped_gate(x)));
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(y * (V(scalar_of<V>(1)) - y));
  }
};

using Exponentials = List<Exp, Log, Tanh, Sigmoid>;

}  // namespace tenon::op

namespace tenon {

/// e^x of floating numbers. Within 1.5 ulp in `float`, 2 in `double`. PyTorch: `exp`.
template <class X, WellFormed R = MapOf<op::Exp, X>>
constexpr auto exp(X&& x) -> R {
  return map<op::Exp>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Exp, X>>
auto exp(X&& x) -> R;

/// The natural logarithm of floating numbers; -infinity at 0, NaN below. Within 1.5 ulp in `float`,
/// 1 in `double`. PyTorch: `log`.
template <class X, WellFormed R = MapOf<op::Log, X>>
constexpr auto log(X&& x) -> R {
  return map<op::Log>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Log, X>>
auto log(X&& x) -> R;

/// The hyperbolic tangent of floating numbers. Within 5 ulp in `float`, 7 in `double`. PyTorch:
/// `tanh`.
template <class X, WellFormed R = MapOf<op::Tanh, X>>
constexpr auto tanh(X&& x) -> R {
  return map<op::Tanh>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Tanh, X>>
auto tanh(X&& x) -> R;

/// 1 / (1 + e^-x) of floating numbers, without overflow. Within 2.5 ulp in `float`, 3.5 in
/// `double`. PyTorch: `sigmoid`. SciPy: `expit`.
template <class X, WellFormed R = MapOf<op::Sigmoid, X>>
constexpr auto sigmoid(X&& x) -> R {
  return map<op::Sigmoid>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Sigmoid, X>>
auto sigmoid(X&& x) -> R;

}  // namespace tenon
