#pragma once

#include <cmath>

#include <tenon/op/list.hpp>

/// What the ops mean, written with the C library's long double: independent of their bodies.
namespace reference {

/// In long double, or in double where the op is of float.
using Number = long double;

inline constexpr Number root_half = 0.70710678118654752440084436210484903928L;
/// What N leaves out of root_half: of long double nothing is known beyond it.
template <class N>
inline constexpr Number root_half_rest = root_half - static_cast<Number>(static_cast<N>(root_half));
inline constexpr Number root_of_two_over_pi = 0.79788456080286535587989211986876373696L;

template <class N>
N sigmoid(N x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
/// erfc(x / sqrt(2)), where rounding the argument would show in the tail: it is put right by the
/// slope.
template <class N>
N upper_tail(N x) {
  N const root = N(root_half), a = x * root;
  N const rest = std::fma(x, root, -a) + x * static_cast<N>(root_half_rest<N>);
  N const slope = N(-1.41421356237309504880168872420969807857L * root_of_two_over_pi);
  N const tail = std::erfc(a), correction = slope * std::exp(-a * a) * rest;
  return tail == 0 || correction != correction ? tail : tail + correction;
}
/// x times a weight that vanishes faster at -infinity.
template <class N>
N weighted(N x, N weight) {
  return weight == 0 ? std::copysign(weight, x) : x * weight;
}

inline auto value(tenon::op::Neg, auto x) { return -x; }
inline auto value(tenon::op::Abs, auto x) { return std::fabs(x); }
inline auto value(tenon::op::Sqrt, auto x) { return std::sqrt(x); }
inline auto value(tenon::op::Rsqrt, auto x) { return 1 / std::sqrt(x); }
inline auto value(tenon::op::Reciprocal, auto x) { return 1 / x; }
inline auto value(tenon::op::Square, auto x) { return x * x; }
inline auto value(tenon::op::Relu, auto x) { return x <= 0 ? 0 : x; }
inline auto value(tenon::op::Exp, auto x) { return std::exp(x); }
inline auto value(tenon::op::Log, auto x) { return std::log(x); }
inline auto value(tenon::op::Sign, auto x) { return x > 0 ? 1 : x < 0 ? -1 : x + 0; }
inline auto value(tenon::op::Floor, auto x) { return std::floor(x); }
inline auto value(tenon::op::Ceil, auto x) { return std::ceil(x); }
inline auto value(tenon::op::Round, auto x) { return std::nearbyint(x); }
inline auto value(tenon::op::Trunc, auto x) { return std::trunc(x); }
inline auto value(tenon::op::Expm1, auto x) { return std::expm1(x); }
inline auto value(tenon::op::Log1p, auto x) { return std::log1p(x); }
inline auto value(tenon::op::Softplus, auto x) {
  return std::fmax(x, decltype(x)(0)) + std::log1p(std::exp(-std::fabs(x))) + (x != x ? x : 0);
}
inline auto value(tenon::op::Tanh, auto x) { return std::tanh(x); }
inline auto value(tenon::op::Sigmoid, auto x) { return sigmoid(x); }
inline auto value(tenon::op::Silu, auto x) { return weighted(x, sigmoid(x)); }
inline auto value(tenon::op::Erf, auto x) { return std::erf(x); }
inline auto value(tenon::op::Gelu, auto x) { return weighted(x, upper_tail(-x) / 2); }
inline auto value(tenon::op::GeluTanh, auto x) {
  using N = decltype(x);
  return weighted(x, sigmoid(N(2 * root_of_two_over_pi) * (x + N(0.044715L) * x * x * x)));
}
inline auto value(tenon::op::Sin, auto x) { return std::sin(x); }
inline auto value(tenon::op::Cos, auto x) { return std::cos(x); }
inline auto value(tenon::op::Tan, auto x) { return std::tan(x); }
inline auto value(tenon::op::Atan, auto x) { return std::atan(x); }
inline auto value(tenon::op::Asin, auto x) { return std::asin(x); }
inline auto value(tenon::op::Acos, auto x) { return std::acos(x); }
inline auto value(tenon::op::Sinh, auto x) { return std::sinh(x); }
inline auto value(tenon::op::Cosh, auto x) { return std::cosh(x); }

inline Number value(tenon::op::Add, Number a, Number b) { return a + b; }
inline Number value(tenon::op::Sub, Number a, Number b) { return a - b; }
inline Number value(tenon::op::Mul, Number a, Number b) { return a * b; }
inline Number value(tenon::op::Div, Number a, Number b) { return a / b; }
inline Number value(tenon::op::Pow, Number a, Number b) { return std::pow(a, b); }
inline Number value(tenon::op::Atan2, Number a, Number b) { return std::atan2(a, b); }
inline Number value(tenon::op::Maximum, Number a, Number b) {
  if (a == b) return std::signbit(a) ? b : a;
  return std::isnan(a) || std::isnan(b) ? a + b : std::fmax(a, b);
}
inline Number value(tenon::op::Minimum, Number a, Number b) {
  if (a == b) return std::signbit(a) ? a : b;
  return std::isnan(a) || std::isnan(b) ? a + b : std::fmin(a, b);
}

/// An op of the lists that is not here is still tested in all other respects.
template <class Op, class... T>
concept Known = requires(T... x) { value(Op{}, static_cast<Number>(x)...); };

/// How far an op may be from its reference, in units in the last place of the result.
template <class Op>
inline constexpr double allowed = 0.51;
template <>
inline constexpr double allowed<tenon::op::Rsqrt> = 1.6;
template <>
inline constexpr double allowed<tenon::op::Exp> = 1.1;
template <>
inline constexpr double allowed<tenon::op::Log> = 1.1;
template <>
inline constexpr double allowed<tenon::op::Tan> = 3;
template <>
inline constexpr double allowed<tenon::op::Atan> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Atan2> = 3;
template <>
inline constexpr double allowed<tenon::op::Asin> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Acos> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Sinh> = 3;
template <>
inline constexpr double allowed<tenon::op::Cosh> = 3;
template <>
inline constexpr double allowed<tenon::op::Expm1> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Log1p> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Softplus> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Tanh> = 2.7;
template <>
inline constexpr double allowed<tenon::op::Sigmoid> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Silu> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Erf> = 2;
template <>
inline constexpr double allowed<tenon::op::Gelu> = 4.5;
template <>
inline constexpr double allowed<tenon::op::GeluTanh> =  // else the rounding of its argument shows
    tenon::word::fma_rounds_once ? 2.7 : 1500;
template <>
inline constexpr double allowed<tenon::op::Sin> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Cos> = 2.5;
template <>
inline constexpr double allowed<tenon::op::Pow> = 50;  // near the ends of the range of double

}  // namespace reference
