#pragma once

#include <cmath>

#include <tenon/op/list.hpp>

/// What the ops mean, written with the C library's long double: independent of their bodies.
namespace reference {

using Number = long double;

inline constexpr Number root_half = 0.70710678118654752440084436210484903928L;
inline constexpr Number pi = 3.14159265358979323846264338327950288419L;

inline Number sigmoid(Number x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
/// x times a weight that vanishes faster at -infinity.
inline Number weighted(Number x, Number weight) { return weight == 0 ? 0 : x * weight; }

inline Number value(tenon::op::Neg, Number x) { return -x; }
inline Number value(tenon::op::Abs, Number x) { return std::fabs(x); }
inline Number value(tenon::op::Sqrt, Number x) { return std::sqrt(x); }
inline Number value(tenon::op::Rsqrt, Number x) { return 1 / std::sqrt(x); }
inline Number value(tenon::op::Reciprocal, Number x) { return 1 / x; }
inline Number value(tenon::op::Square, Number x) { return x * x; }
inline Number value(tenon::op::Relu, Number x) { return x <= 0 ? 0 : x; }
inline Number value(tenon::op::Exp, Number x) { return std::exp(x); }
inline Number value(tenon::op::Log, Number x) { return std::log(x); }
inline Number value(tenon::op::Sign, Number x) { return x > 0 ? 1 : x < 0 ? -1 : x + 0; }
inline Number value(tenon::op::Floor, Number x) { return std::floor(x); }
inline Number value(tenon::op::Ceil, Number x) { return std::ceil(x); }
inline Number value(tenon::op::Round, Number x) { return std::nearbyint(x); }
inline Number value(tenon::op::Trunc, Number x) { return std::trunc(x); }
inline Number value(tenon::op::Expm1, Number x) { return std::expm1(x); }
inline Number value(tenon::op::Log1p, Number x) { return std::log1p(x); }
inline Number value(tenon::op::Softplus, Number x) {
  return std::fmax(x, Number(0)) + std::log1p(std::exp(-std::fabs(x))) + (x != x ? x : 0);
}
inline Number value(tenon::op::Tanh, Number x) { return std::tanh(x); }
inline Number value(tenon::op::Sigmoid, Number x) { return sigmoid(x); }
inline Number value(tenon::op::Silu, Number x) { return weighted(x, sigmoid(x)); }
inline Number value(tenon::op::Erf, Number x) { return std::erf(x); }
inline Number value(tenon::op::Gelu, Number x) {
  return weighted(x, std::erfc(-x * root_half) / 2);
}
inline Number value(tenon::op::GeluTanh, Number x) {
  return weighted(x, sigmoid(2 * std::sqrt(2 / pi) * (x + 0.044715L * x * x * x)));
}
inline Number value(tenon::op::Sin, Number x) { return std::sin(x); }
inline Number value(tenon::op::Cos, Number x) { return std::cos(x); }
inline Number value(tenon::op::Tan, Number x) { return std::tan(x); }
inline Number value(tenon::op::Atan, Number x) { return std::atan(x); }
inline Number value(tenon::op::Asin, Number x) { return std::asin(x); }
inline Number value(tenon::op::Acos, Number x) { return std::acos(x); }
inline Number value(tenon::op::Sinh, Number x) { return std::sinh(x); }
inline Number value(tenon::op::Cosh, Number x) { return std::cosh(x); }

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
