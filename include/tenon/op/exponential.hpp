#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/elementary.hpp>
#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/pieces.hpp>
#include <tenon/op/reference.hpp>

/// exp of float on machines with a 16-entry table lookup and scaling by any power of two in one
/// instruction.
namespace tenon::op {

/// 2^(k/16), and its relative rounding error.
struct SixteenthPowers {
  alignas(64) static constexpr float numbers[16] = {
      0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
      0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
      0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
      0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
  alignas(64) static constexpr float lost[16] = {
      0.0f,          4.62855e-08f,  -1.19922e-08f, 4.72978e-08f,  3.19342e-08f, 3.62106e-08f,
      -3.09907e-08f, -7.47521e-09f, 1.71143e-08f,  -3.04768e-08f, 5.23333e-09f, 6.10759e-09f,
      -1.47196e-08f, -5.2588e-09f,  -6.12826e-09f, 5.14061e-09f};
};

/// x = n ln 2 + rest, where n is a multiple of 1/16 whose bits are the lowest of `place`; `near` is
/// the rest but for the lower half of ln 2.
template <class V>
struct Sixteenths {
  V n, reduced;
  decltype(bits(V(0.0f))) place;
  static constexpr float minus_low = -0x1.0bfbe8p-15f;

  constexpr V power() const { return looked_up(place, SixteenthPowers::numbers); }
  constexpr V lost() const { return looked_up(place, SixteenthPowers::lost); }
  constexpr V rest() const { return fma(n, V(minus_low), reduced); }
  constexpr V rest_and_lost() const { return reduced + fma(n, V(minus_low), lost()); }
};

/// Where x leaves the binade of `shift` the rest is not used, and unspecified.
template <class V>
TENON_INLINE constexpr Sixteenths<V> sixteenths(V x) {
  V const shift = V(0x1.8p19f), shifted = fma(x, V(1.44269504f), shift), n = shifted - shift;
  return {n, fma(n, V(-0x1.62ep-1f), x), bits(shifted)};  // the fma is exact: 12 bits
}

/// power * exp(r), for r to ln 2 / 32: the cubic is within 2^-30.
template <class V>
TENON_INLINE constexpr V times_exponential(V power, V r) {
  V const cubic = fma(fma(r, V(0.1666653f), V(0.500022f)), r * r, r);
  return fma(power, cubic, power);
}

/// Error up to 0.96 units in the last place, most of it from rounding the table and the result.
/// Half the time of the polynomial over the 16 times larger range. Where x is out of range, n alone
/// makes the result zero, infinity or NaN, if the rest is bounded.
template <class V>
TENON_INLINE constexpr V exponential_by_table(V x) {
  auto const parts = sixteenths(x);
  V const r = bounded(parts.rest(), V(0x1p-5f));
  return scale_by_floor(times_exponential(parts.power(), r), parts.n);
}

/// factor * exp(-a^2 / 2) for a to 16, where a^2 alone would lose as many bits as it has before the
/// point.
template <class V>
TENON_INLINE constexpr V times_gaussian(V factor, V a) {
  V const square = a * a, half = V(-0.5f);
  auto const parts = sixteenths(square * half);
  V const r = fma(fma(a, a, -square), half, parts.rest());
  return scale_by_floor(times_exponential(factor * parts.power(), r), parts.n);
}

/// exp(x) with an error slightly above half a unit in the last place (above one for subnormal
/// results), for x within the range of exponents. Scaled first: in a dependency chain as long as
/// that of a sigmoid this reduces the latency.
template <class V>
TENON_INLINE constexpr V near_exponential_by_table(V x) {
  auto const parts = sixteenths(x);
  V const power = scale_by_floor(parts.power(), parts.n);
  return times_exponential(power, parts.rest_and_lost());
}

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
