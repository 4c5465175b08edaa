#pragma once

#include <tenon/expr/mapped.hpp>
#include <tenon/expr/operators.hpp>
#include <tenon/op/list.hpp>
#include <tenon/op/stop.hpp>

namespace tenon {

/// Elementwise e^x.
template <Expression X>
constexpr auto exp(X&& x) -> Mapped<op::Exp, X&&> {
  return map<op::Exp>(std::forward<X>(x));
}
/// Elementwise natural logarithm.
template <Expression X>
constexpr auto log(X&& x) -> Mapped<op::Log, X&&> {
  return map<op::Log>(std::forward<X>(x));
}
/// Elementwise square root.
template <Expression X>
constexpr auto sqrt(X&& x) -> Mapped<op::Sqrt, X&&> {
  return map<op::Sqrt>(std::forward<X>(x));
}
/// Elementwise 1 / sqrt(x).
template <Expression X>
constexpr auto rsqrt(X&& x) -> Mapped<op::Rsqrt, X&&> {
  return map<op::Rsqrt>(std::forward<X>(x));
}
/// Elementwise x².
template <Expression X>
constexpr auto square(X&& x) -> Mapped<op::Square, X&&> {
  return map<op::Square>(std::forward<X>(x));
}
template <Expression X>
constexpr auto tanh(X&& x) -> Mapped<op::Tanh, X&&> {
  return map<op::Tanh>(std::forward<X>(x));
}
/// 1 / (1 + e^-x).
template <Expression X>
constexpr auto sigmoid(X&& x) -> Mapped<op::Sigmoid, X&&> {
  return map<op::Sigmoid>(std::forward<X>(x));
}
/// max(x, 0); NaN stays.
template <Expression X>
constexpr auto relu(X&& x) -> Mapped<op::Relu, X&&> {
  return map<op::Relu>(std::forward<X>(x));
}
/// x Φ(x), the exact form. PyTorch: `gelu`.
template <Expression X>
constexpr auto gelu(X&& x) -> Mapped<op::Gelu, X&&> {
  return map<op::Gelu>(std::forward<X>(x));
}
/// x sigmoid(x).
template <Expression X>
constexpr auto silu(X&& x) -> Mapped<op::Silu, X&&> {
  return map<op::Silu>(std::forward<X>(x));
}
template <Expression X>
constexpr auto erf(X&& x) -> Mapped<op::Erf, X&&> {
  return map<op::Erf>(std::forward<X>(x));
}
template <Expression X>
constexpr auto sin(X&& x) -> Mapped<op::Sin, X&&> {
  return map<op::Sin>(std::forward<X>(x));
}
template <Expression X>
constexpr auto cos(X&& x) -> Mapped<op::Cos, X&&> {
  return map<op::Cos>(std::forward<X>(x));
}
template <Expression X>
constexpr auto abs(X&& x) -> Mapped<op::Abs, X&&> {
  return map<op::Abs>(std::forward<X>(x));
}
/// Elementwise x^y.
template <class X, class Y>
  requires OperandPair<X, Y>
constexpr auto pow(X&& x, Y&& y) -> Mapped<op::Pow, X&&, Y&&> {
  return map<op::Pow>(std::forward<X>(x), std::forward<Y>(y));
}
/// The larger of two, elementwise; NaN from either operand. PyTorch: `maximum`.
template <class X, class Y>
  requires OperandPair<X, Y>
constexpr auto max(X&& x, Y&& y) -> Mapped<op::Maximum, X&&, Y&&> {
  return map<op::Maximum>(std::forward<X>(x), std::forward<Y>(y));
}
/// The smaller of two, elementwise; NaN from either operand. PyTorch: `minimum`.
template <class X, class Y>
  requires OperandPair<X, Y>
constexpr auto min(X&& x, Y&& y) -> Mapped<op::Minimum, X&&, Y&&> {
  return map<op::Minimum>(std::forward<X>(x), std::forward<Y>(y));
}
/// `yes` where the mask is true, else `no`. PyTorch: `where`.
template <Expression M, Operand X, Operand Y>
constexpr auto where(M&& mask, X&& yes, Y&& no) -> Mapped<op::Where, M&&, X&&, Y&&> {
  return map<op::Where>(std::forward<M>(mask), std::forward<X>(yes), std::forward<Y>(no));
}
/// The same values as another dtype: `to<float>(mask)`. PyTorch: `x.to(dtype)`.
template <class T, Expression X>
  requires is_dtype<T>
constexpr auto to(X&& x) -> Mapped<op::Cast<T>, X&&> {
  return map<op::Cast<T>>(std::forward<X>(x));
}

/// The same values, which count as constants. PyTorch: `detach`.
template <Expression X>
constexpr auto stop_gradient(X&& x) -> Mapped<op::StopGradient, X&&> {
  return map<op::StopGradient>(std::forward<X>(x));
}

}  // namespace tenon
