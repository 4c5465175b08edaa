#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/exact.hpp>
#include <tenon/op/exponential.hpp>

/// The error function and functions of the normal distribution.
namespace tenon::op {

/// |x| limited to the range of the tails: beyond, exp(-x^2 / 2) is zero.
template <class V>
TENON_INLINE constexpr V within_tails(V x) {
  using T = scalar_of<V>;
  return clamp(abs(x), V(T(0)), V(Coefficients<T>::tail_end));
}

/// x limited to the range of the tails. (Not by its absolute value, which has no derivative at
/// zero.)
template <class V>
TENON_INLINE constexpr V between_tails(V x) {
  V const end = V(Coefficients<scalar_of<V>>::tail_end);
  return clamp(x, -end, end);
}

/// exp(-x^2 / 2).
struct Gaussian {
  static constexpr std::string_view name = "gaussian";
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    return gaussian(within_tails(x)).value();
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y) {
    return partials(-between_tails(x) * y);
  }
};

/// Phi(x), the cumulative distribution function of the normal distribution.
struct NormalBelow {
  static constexpr std::string_view name = "normal_below";
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = within_tails(x), tail = gaussian(a).value() * scaled_tail(a).value();
    return select(x < V(T(0)), tail, V(T(1)) - tail);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Gaussian>(x) *
                    V(scalar_of<V>(0.39894228040143267794)));  // 1/sqrt(2 pi)
  }
};

/// The error function.
struct Erf {
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view onnx = "Erf";
  static constexpr Accuracy accuracy{7, 2.5};
  static auto reference(auto x) { return std::erf(x); }
  /// 1 - erf(|x|) for large |x|: only as precise as 1 minus it needs in float.
  template <FloatingValue V>
  TENON_INLINE static constexpr V complement(V x) {
    using T = scalar_of<V>;
    using C = Coefficients<T>;
    if constexpr (sizeof(T) == 4) {
      V const a = clamp(abs(x), V(T(0)), V(C::erf_end));
      return Exp::f(-polynomial(a, C::erf_far));
    } else {
      V const a = within_tails(x * V(T(1.41421356237309504880)));
      return V(T(2)) * gaussian(a).value() * scaled_tail(a).value();
    }
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    if constexpr (looks_up<V>) {
      return odd_by_pieces<ErfPieces>(x);
    } else {
      using T = scalar_of<V>;
      V const small = fma(x, polynomial(x * x, Coefficients<T>::erf), x);
      return select(abs(x) < V(T(0.88)), small, copysign(V(T(1)) - complement(x), x));
    }
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const y = applied<Gaussian>(x * V(T(1.41421356237309504880)));
    return partials(V(T(1.12837916709551257390)) * y);  // 2/sqrt(pi)
  }
};

/// x * Phi(x), with the error function: PyTorch's default. Zero at -infinity.
struct Gelu {
  static constexpr std::string_view name = "gelu";
  static constexpr std::string_view onnx = "Gelu";
  static constexpr Accuracy accuracy{4, 4};
  static auto reference(auto x) { return reference_weighted(x, reference_upper_tail(-x) / 2); }
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

using Normals = List<Erf, Gelu, GeluTanh>;

}  // namespace tenon::op

namespace tenon {

/// The error function of floating numbers. Within 7 ulp in `float`, 2.5 in `double`. PyTorch:
/// `erf`.
template <class X, WellFormed R = MapOf<op::Erf, X>>
constexpr auto erf(X&& x) -> R {
  return map<op::Erf>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Erf, X>>
auto erf(X&& x) -> R;

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
