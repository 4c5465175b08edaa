#pragma once

#include <cmath>

/// The test oracles of ops. An op has, beside its definition,
///   reference(x)   its value by the C library, of numbers with more bits than the result;
///   accuracy       the error bound, where the result is not correctly rounded;
///   terms(x)       the size of its terms where they cancel: the bound is then in units of these;
///   domain         where its second derivative is continuous, where that is not everywhere.
/// They are used by tests only.
namespace tenon::op {

/// An error bound in units in the last place. Where JAX has the function: the bound that it
/// publishes for the CPU (docs.jax.dev, "Numerical accuracy", reviewed on 2026-09-18), or 4 where
/// that is more. Subnormal results are within the same bound, which JAX does not promise. JAX takes
/// log, sin, cos and tan of double from the C library, which is closer to 0.5 than these
/// implementations are.
struct Accuracy {
  double of_float;
  double of_double;
};

/// For results computed in double and then rounded: nearly always correctly.
inline constexpr double rounded_from_double = 0.501;

enum class Domain { everywhere, nonzero, positive, within_one, above_one };

/// The error bound of an op for T: float, or double.
template <class Op, class T>
constexpr double error_bound() {
  if constexpr (!requires { Op::accuracy; }) return 0.5;  // correctly rounded
  else return sizeof(T) == 4 ? Op::accuracy.of_float : Op::accuracy.of_double;
}

template <class Op>
constexpr Domain domain_of() {
  if constexpr (requires { Op::domain; }) return Op::domain;
  else return Domain::everywhere;
}

template <class N>
N reference_sigmoid(N x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

inline constexpr long double root_half = 0.70710678118654752440084436210484903928L;
/// The rounding error of root_half in N; zero for long double, in which it is written.
template <class N>
inline constexpr long double root_half_rest =
    root_half - static_cast<long double>(static_cast<N>(root_half));
inline constexpr long double root_of_two_over_pi = 0.79788456080286535587989211986876373696L;

/// erfc(x / sqrt(2)). In the tail the rounding error of the argument is amplified; the result is
/// corrected by the derivative times that error.
template <class N>
N reference_upper_tail(N x) {
  N const root = N(root_half), a = x * root;
  N const rest = std::fma(x, root, -a) + x * static_cast<N>(root_half_rest<N>);
  N const derivative = N(-1.41421356237309504880168872420969807857L * root_of_two_over_pi);
  N const tail = std::erfc(a), correction = derivative * std::exp(-a * a) * rest;
  return tail == 0 || correction != correction ? tail : tail + correction;
}

/// x times a weight that vanishes faster than 1 / x as x goes to -infinity.
template <class N>
N reference_weighted(N x, N weight) {
  return weight == 0 ? std::copysign(weight, x) : x * weight;
}

}  // namespace tenon::op
