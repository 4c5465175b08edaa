#pragma once

#include <numbers>
#include <string_view>
#include <utility>

#include <tenon/op/exact.hpp>
#include <tenon/op/normal.hpp>
#include <tenon/op/shifted.hpp>
#include <tenon/op/symbolic.hpp>

/// Activations of neural networks, beside `sigmoid` and `tanh`.
namespace tenon::op {

/// x where it is positive, else 0; NaN stays NaN.
struct Relu {
  static constexpr std::string_view name = "relu";
  static constexpr std::string_view onnx = "Relu";
  static constexpr Domain domain = Domain::nonzero;
  static auto reference(auto x) { return x <= 0 ? 0 : x; }
  template <RealValue V>
  TENON_INLINE static constexpr V f(V x) {
    V const zero = V(scalar_of<V>(0));
    return select(x <= zero, zero, x);
  }
  template <RealValue V>
  TENON_INLINE static constexpr auto d(V x, V) {
    return partials(x > V(scalar_of<V>(0)));
  }
};

/// x sigmoid(z) in a graph, where z has the sign of x: precise for large negative z.
template <class X>
X symbolic_gate(X x, X z) {
  X const e = applied<Exp>(-abs(z)), one = X(1);
  return x * (select(z < X(0), e, one) / (e + one));
}

/// x * sigmoid(x); zero at -infinity.
struct Silu {
  static constexpr std::string_view name = "silu";
  static constexpr Accuracy accuracy{4, 4};
  static auto reference(auto x) { return reference_weighted(x, reference_sigmoid(x)); }
  /// Below -1200 the sigmoid is 0.
  template <class X>
  static X symbolic(X x) {
    return symbolic_gate(maximum(x, X(-1200)), x);
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    return gated(x, exponential(-clamped_gate(x)));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1)), s = applied<Sigmoid>(x);
    return partials(s * fma(clamped_gate(x), one - s, one));  // limited: avoids infinity * 0
  }
};

/// log(1 + exp(x)).
struct Softplus {
  static constexpr std::string_view name = "softplus";
  static constexpr Accuracy accuracy{4, 4};
  static auto reference(auto x) {
    return std::fmax(x, decltype(x)(0)) + std::log1p(std::exp(-std::fabs(x)));
  }
  /// In float64 runtimes let the operator overflow.
  template <class X>
  static X symbolic(X x) {
    return operator_or(OnnxOperator{.name = "Softplus", .dtype = "float32"}, x, [](X z) {
      return maximum(z, X(0)) + applied<Log1p>(applied<Exp>(-abs(z)));
    });
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    return maximum(x, V(scalar_of<V>(0))) + Log1p::f(Exp::f(-abs(x)));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Sigmoid>(x));
  }
};

/// x * Phi(x), with the error function: PyTorch's default. Zero at -infinity.
struct Gelu {
  static constexpr std::string_view name = "gelu";
  static constexpr Accuracy accuracy{4, 4};
  static auto reference(auto x) { return reference_weighted(x, reference_upper_tail(-x) / 2); }
  /// Below -40 it is 0. The operator is NaN at -infinity.
  template <class X>
  static X symbolic(X x) {
    return operator_or(OnnxOperator{"Gelu", 20}, maximum(x, X(-40)), [](X z) {
      return z * X(0.5) * (applied<Erf>(z * X(std::numbers::sqrt2 / 2)) + X(1));
    });
  }
  /// The factor of the tail of |x|: zero where the tail is negligible, above 9, or zero, below
  /// -14.5. (There its scaling would underflow, which takes an Intel CPU 150 cycles per register.)
  template <class V>
  TENON_INLINE static constexpr V counted_tail(V x, V a) {
    V const above = select(x > V(9.0f), V(0.0f), piece<TailPieces>(a));
    return select(x < V(-14.5f), V(0.0f), above);
  }
  /// With s = |x| Phi(-|x|): x - s above zero, -s below, scaled last.
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    if constexpr (looks_up<V>) {
      V const a = at_most(abs(x), V(TailPieces::end));
      V const share = times_gaussian(counted_tail(x, a), a);
      return copysign(at_least(x, V(0.0f)) - share, x);
    } else {
      V const a = within_tails(x), t = scaled_tail(a).times_argument();
      auto const exp = gaussian(a);
      V const share = scale(fma(t, exp.less_one, t), exp.power);
      return select(x < V(scalar_of<V>(0)), -share, x - share);
    }
  }
  /// Phi(x) + x phi(x).
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const factor = between_tails(x) * V(T(0.39894228040143267794));  // 1/sqrt(2 pi)
    return partials(fma(factor, applied<Gaussian>(x), applied<NormalBelow>(x)));
  }
};

/// The tanh approximation of gelu, as in GPT-2: x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)), because
/// (1 + tanh(a)) / 2 is sigmoid(2 a). Zero at -infinity.
struct GeluTanh {
  static constexpr std::string_view name = "gelu_tanh";
  static constexpr Accuracy accuracy{4, 4};
  static auto reference(auto x) {
    using N = decltype(x);
    N const z = N(2 * root_of_two_over_pi) * (x + N(0.044715L) * x * x * x);
    return reference_weighted(x, reference_sigmoid(z));
  }
  /// Below -40 it is 0. The operator is NaN at -infinity.
  template <class X>
  static X symbolic(X x) {
    OnnxOperator const one{.name = "Gelu", .opset = 20, .approximate = "tanh"};
    return operator_or(one, maximum(x, X(-40)), [](X z) {
      X const inner = z + z * z * z * X(0.044715);
      return symbolic_gate(z, inner * X(static_cast<double>(2 * root_of_two_over_pi)));
    });
  }
  /// Beyond 24 (12 in float) the result is x or zero.
  template <class V>
  TENON_INLINE static constexpr V within_step(V x) {
    using T = scalar_of<V>;
    V const end = V(sizeof(T) == 4 ? T(12) : T(24));
    return clamp(x, -end, end);
  }
  /// The argument of the exponential in two parts, for precision where it is large.
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const u = within_step(x), u2 = u * u, cubic = u2 * V(cube<T>);
    V const factor = cubic + V(linear<T>), z = u * factor;
    V const part = factor - cubic;  // the rounding errors of each step and constant:
    V const rest = ((cubic - (factor - part)) + (V(linear<T>) - part)) +
                   lost_by_product(u2, V(cube<T>), cubic) + lost_by_product(u, u, u2) * V(cube<T>) +
                   fma(u2, V(cube_rest<T>), V(linear_rest<T>));
    V const high = clamped_gate(z);
    V const low = select(high == z, lost_by_product(u, factor, z) + u * rest, V(T(0)));
    return gated(x, exponential(-high, -low));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const u = within_step(x), u2 = u * u, z = u * fma(u2, V(cube<T>), V(linear<T>));
    V const derivative = fma(u2, V(T(3) * cube<T>), V(linear<T>)), one = V(T(1)),
            s = applied<Sigmoid>(z);
    return partials(s * fma(u * (one - s), derivative, one));
  }
  template <class T>  // 2 sqrt(2/pi)
  static constexpr T linear = T(1.5957691216057308);
  template <class T>
  static constexpr T linear_rest = T(linear<double> - double(linear<T>) + -9.9693088091109202e-17);
  template <class T>  // 0.044715 times that
  static constexpr T cube = T(0.07135481627260025);
  template <class T>
  static constexpr T cube_rest = T(cube<double> - double(cube<T>) + -6.175149918155315e-19);
};

using SmoothActivations = List<Silu, Softplus, Gelu, GeluTanh>;
/// The smooth ones take many machine instructions.
using Activations = Joined<List<Relu>, SmoothActivations>;

}  // namespace tenon::op

namespace tenon {

/// max(x, 0) of integers and floating numbers; NaN stays. PyTorch: `relu`.
template <class X, WellFormed R = MapOf<op::Relu, X>>
constexpr auto relu(X&& x) -> R {
  return map<op::Relu>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Relu, X>>
auto relu(X&& x) -> R;

/// x sigmoid(x) of floating numbers (swish); 0 at -infinity. Within 4 ulp in `float`, 4 in
/// `double`. PyTorch: `silu`.
template <class X, WellFormed R = MapOf<op::Silu, X>>
constexpr auto silu(X&& x) -> R {
  return map<op::Silu>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Silu, X>>
auto silu(X&& x) -> R;

/// log(1 + e^x) of floating numbers, without overflow. Within 4 ulp in `float`, 4 in `double`.
/// PyTorch: `softplus`.
template <class X, WellFormed R = MapOf<op::Softplus, X>>
constexpr auto softplus(X&& x) -> R {
  return map<op::Softplus>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Softplus, X>>
auto softplus(X&& x) -> R;

/// x Φ(x) of floating numbers, with the normal distribution function Φ: the exact form. Within 4
/// ulp in `float`, 4 in `double`. PyTorch: `gelu`.
template <class X, WellFormed R = MapOf<op::Gelu, X>>
constexpr auto gelu(X&& x) -> R {
  return map<op::Gelu>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Gelu, X>>
auto gelu(X&& x) -> R;

/// x Φ(x) of floating numbers by the tanh approximation. Within 4 ulp in `float`, 4 in `double`.
/// PyTorch: `gelu(approximate="tanh")`.
template <class X, WellFormed R = MapOf<op::GeluTanh, X>>
constexpr auto gelu_tanh(X&& x) -> R {
  return map<op::GeluTanh>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::GeluTanh, X>>
auto gelu_tanh(X&& x) -> R;

}  // namespace tenon
