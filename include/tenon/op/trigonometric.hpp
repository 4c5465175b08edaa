#pragma once

#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

/// sin(x + quarter * pi/2).
template <class V>
constexpr V sine(V x, scalar_of<V> quarter) {
  using T = scalar_of<V>;
  V const n = round_even(x * T(0.63661977236758134308));
  V const r = fma(n, V(T(-6.123233995736766e-17)), fma(n, V(T(-1.57079632679489655800)), x));
  V const q = n + quarter;
  V const turn = q - V(T(4)) * floor(q * T(0.25));
  V const r2 = r * r;
  V s = V(T(0)), c = V(T(0));
  for (int k = 9; k >= 1; --k) {
    s = (s * r2 + V(T(1))) * V(T(-1.0 / ((2 * k) * (2 * k + 1))));
    c = (c * r2 + V(T(1))) * V(T(-1.0 / ((2 * k - 1) * (2 * k))));
  }
  s = r + r * (r2 * s);
  c = V(T(1)) + r2 * c;
  V const y = select((turn == V(T(1))) | (turn == V(T(3))), c, s);
  return select(turn >= V(T(2)), -y, y);
}

struct Sin {
  static constexpr std::string_view name = "sin";
  static constexpr std::string_view onnx = "Sin";
  template <class V>
  static constexpr V f(V x) {
    return sine(x, scalar_of<V>(0));
  }
  template <class V>
  static constexpr auto d(V x, V) {
    return partials(sine(x, scalar_of<V>(1)));
  }
};

struct Cos {
  static constexpr std::string_view name = "cos";
  static constexpr std::string_view onnx = "Cos";
  template <class V>
  static constexpr V f(V x) {
    return sine(x, scalar_of<V>(1));
  }
  template <class V>
  static constexpr auto d(V x, V) {
    return partials(-sine(x, scalar_of<V>(0)));
  }
};

using Trigonometric = List<Sin, Cos>;

}  // namespace tenon::op
