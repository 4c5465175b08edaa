#pragma once

#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

struct Exp {
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view onnx = "Exp";
  template <class V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const limited = minimum(maximum(x, V(T(-800))), V(T(800)));
    V const n = round_even(limited * T(1.44269504088896340736));
    V const r = fma(n, V(T(-1.90821492927058770002e-10)), fma(n, V(T(-0.693147180369123816490)), limited));
    V y = V(T(1));
    for (int k = 14; k >= 1; --k) y = fma(y, r * T(1.0 / k), V(T(1)));
    return scale(y, n);
  }
  template <class V>
  static constexpr auto d(V, V y) {
    return partials(y);
  }
};

struct Log {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view onnx = "Log";
  template <class V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const e = exponent(x), m = mantissa(x);
    auto const big = m > V(T(1.41421356237309504880));
    V const z = select(big, m * T(0.5), m) - V(T(1));
    V const s = z / (z + T(2)), s2 = s * s;
    V y = V(T(0));
    for (int k = 12; k >= 1; --k) y = (y + V(T(1.0 / (2 * k + 1)))) * s2;
    V const n = select(big, e + V(T(1)), e);
    V const result = fma(n, V(T(0.693147180559945309417)), T(2) * fma(s, y, s));
    V const positive = select(x == V(T(0)), V(-Layout<T>::infinity), result);
    V const finite = select(x == V(Layout<T>::infinity), x, positive);
    return select(x >= V(T(0)), finite, V(Layout<T>::nan));
  }
  template <class V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / x);
  }
};

struct Tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view onnx = "Tanh";
  template <class V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const e = Exp::f(V(T(-2)) * abs(x));
    return copysign((V(T(1)) - e) / (V(T(1)) + e), x);
  }
  template <class V>
  static constexpr auto d(V, V y) {
    V const one = V(scalar_of<V>(1));
    return partials((one - y) * (one + y));
  }
};

/// 1 / (1 + exp(-x)).
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view onnx = "Sigmoid";
  template <class V>
  static constexpr V f(V x) {
    V const one = V(scalar_of<V>(1));
    return one / (one + Exp::f(-x));
  }
  template <class V>
  static constexpr auto d(V, V y) {
    return partials(y * (V(scalar_of<V>(1)) - y));
  }
};

/// x * sigmoid(x).
struct Silu {
  static constexpr std::string_view name = "silu";
  template <class V>
  static constexpr V f(V x) {
    return x * Sigmoid::f(x);
  }
  template <class V>
  static constexpr auto d(V x, V y) {
    V const one = V(scalar_of<V>(1)), s = Sigmoid::f(x);
    return partials(s + y * (one - s));
  }
};

/// The error function.
struct Erf {
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view onnx = "Erf";
  template <class V>
  static constexpr V f(V x) {  // Abramowitz and Stegun 7.1.26
    using T = scalar_of<V>;
    V const t = V(T(1)) / fma(abs(x), V(T(0.3275911)), V(T(1)));
    V y = V(T(1.061405429));
    for (double c : {-1.453152027, 1.421413741, -0.284496736, 0.254829592}) y = fma(y, t, V(T(c)));
    return copysign(V(T(1)) - y * t * Exp::f(-x * x), x);
  }
  template <class V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1.12837916709551257390)) * Exp::f(-x * x));
  }
};

/// x * Phi(x), with the error function: PyTorch's default.
struct Gelu {
  static constexpr std::string_view name = "gelu";
  static constexpr std::string_view onnx = "Gelu";
  template <class V>
  static constexpr V f(V x) {
    return x * cumulative(x);
  }
  template <class V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const density = V(T(0.39894228040143267794)) * Exp::f(x * x * T(-0.5));
    return partials(fma(x, density, cumulative(x)));
  }
  template <class V>
  static constexpr V cumulative(V x) {
    using T = scalar_of<V>;
    return V(T(0.5)) * (V(T(1)) + Erf::f(x * T(0.70710678118654752440)));
  }
};

/// The approximation of `gelu` by tanh, as GPT-2 has it.
struct GeluTanh {
  static constexpr std::string_view name = "gelu_tanh";
  template <class V>
  static constexpr V f(V x) {
    return x * Sigmoid::f(argument(x));
  }
  template <class V>
  static constexpr auto d(V x, V y) {
    using T = scalar_of<V>;
    V const s = Sigmoid::f(argument(x));
    V const slope = T(1.59576912160573071176) * fma(x * x, V(T(0.134145)), V(T(1)));
    return partials(fma(y * (V(T(1)) - s), slope, s));
  }
  template <class V>
  static constexpr V argument(V x) {  // 2 sqrt(2/pi) (x + 0.044715 x^3): tanh(a) = 2 sigmoid(2a) - 1
    using T = scalar_of<V>;
    return x * T(1.59576912160573071176) * fma(x * x, V(T(0.044715)), V(T(1)));
  }
};

using Exponential = List<Exp, Log, Tanh, Sigmoid, Silu, Erf, Gelu, GeluTanh>;

}  // namespace tenon::op
