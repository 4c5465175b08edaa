#pragma once

#include <string_view>

#include <tenon/op/elementary.hpp>
#include <tenon/op/partials.hpp>

namespace tenon::op {

struct Exp {
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view onnx = "Exp";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using C = Coefficients<scalar_of<V>>;
    return exponential(clamp(x, V(C::exp_underflow), V(C::exp_overflow))).value();
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
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
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
  /// With e = exp(2 |x|) - 1 it is e / (e + 2); from 22 on it is 1.
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = clamp(abs(x), V(T(0)), V(T(22)));
    auto const exp = exponential(a + a);
    V const power = scale(V(T(1)), exp.power);
    V const e = fma(power, exp.less_one, power - V(T(1)));
    return copysign(e / (e + V(T(2))), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    V const one = V(scalar_of<V>(1));
    return partials((one - y) * (one + y));
  }
};

/// x * sigmoid(z), without overflow, and without losing bits where sigmoid(z) alone is subnormal.
template <class V>
[[gnu::always_inline]] constexpr V gated(V x, V z) {
  using T = scalar_of<V>;
  V const one = V(T(1)), zero = V(T(0));
  auto const exp = exponential(clamp(-abs(z), V(Coefficients<T>::exp_underflow), zero));
  auto const negative = z < zero;
  V const above = select(negative, x * (one + exp.less_one), x);
  return scale(above / (one + exp.value()), select(negative, exp.power, zero));
}

/// 1 / (1 + exp(-x)).
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view onnx = "Sigmoid";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return gated(V(scalar_of<V>(1)), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(y * (V(scalar_of<V>(1)) - y));
  }
};

/// x * sigmoid(x); zero at -infinity.
struct Silu {
  static constexpr std::string_view name = "silu";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using L = Layout<scalar_of<V>>;
    return gated(clamp(x, V(-L::largest), V(L::infinity)), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y) {
    V const one = V(scalar_of<V>(1)), s = Sigmoid::f(x);
    return partials(fma(y, one - s, s));
  }
};

using Exponentials = List<Exp, Log, Tanh, Sigmoid, Silu>;

}  // namespace tenon::op
