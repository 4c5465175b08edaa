#pragma once

#include <string_view>

#include <tenon/op/exponential.hpp>

/// The error function and what is made of the normal distribution.
namespace tenon::op {

/// The error function.
struct Erf {
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view onnx = "Erf";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = Coefficients<T>;
    V const a = clamp(abs(x), V(T(0)), V(C::erfcx_end));
    V const large = V(T(1)) - (exponential(-(a * a)).value() * scaled_erfc(a));
    return select(a < V(T(0.9)), x * polynomial(x * x, C::erf), copysign(large, x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const a = clamp(abs(x), V(T(0)), V(Coefficients<T>::erfcx_end));
    return partials(V(T(1.12837916709551257390)) * gaussian(a, T(1)).value());  // 2/sqrt(pi)
  }
};

/// x * Phi(x), with the error function: PyTorch's default. Zero at -infinity.
struct Gelu {
  static constexpr std::string_view name = "gelu";
  static constexpr std::string_view onnx = "Gelu";
  /// With the tail t = Phi(-|x|): x - x t above zero, x t below, scaled last.
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = limited(x);
    auto const exp = gaussian(a, T(0.5));
    V const t = (V(T(1)) + exp.less_one) * scaled_erfc(a * V(T(0.70710678118654752440)));
    V const share = scale(a * t * V(T(0.5)), exp.power);
    return select(x < V(T(0)), -share, x - share);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const a = limited(x), density = gaussian(a, T(0.5)).value();
    V const tail = density * scaled_erfc(a * V(T(0.70710678118654752440))) * V(T(0.5));
    V const slope = density * copysign(a, x) * V(T(0.39894228040143267794));  // 1/sqrt(2 pi)
    return partials(slope + select(x < V(T(0)), tail, V(T(1)) - tail));
  }
  template <FloatingValue V>
  static constexpr V limited(V x) {  // beyond, exp(-x^2 / 2) is zero
    using C = Coefficients<scalar_of<V>>;
    return clamp(abs(x), V(scalar_of<V>(0)), V(C::erfcx_end * scalar_of<V>(1.40625)));
  }
};

/// The approximation of gelu by tanh, as GPT-2 has it. Zero at -infinity.
struct GeluTanh {
  static constexpr std::string_view name = "gelu_tanh";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using L = Layout<scalar_of<V>>;
    return gated(clamp(x, V(-L::largest), V(L::infinity)), argument(x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y) {
    using T = scalar_of<V>;
    V const s = Sigmoid::f(argument(x));
    V const slope = V(T(1.59576912160573071176)) * fma(x * x, V(T(0.134145)), V(T(1)));
    return partials(fma(y * (V(T(1)) - s), slope, s));
  }
  /// 2 sqrt(2/pi) (x + 0.044715 x^3), because (1 + tanh(a)) / 2 is sigmoid(2 a).
  template <FloatingValue V>
  static constexpr V argument(V x) {
    using T = scalar_of<V>;
    return x * V(T(1.59576912160573071176)) * fma(x * x, V(T(0.044715)), V(T(1)));
  }
};

using Normals = List<Erf, Gelu, GeluTanh>;

}  // namespace tenon::op
