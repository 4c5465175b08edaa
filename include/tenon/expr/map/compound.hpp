#pragma once

#include <utility>

#include <tenon/expr/map/bit_operators.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/tensor/unfit.hpp>

/// `x += y` is `x = x + y`: the variable gets a new value, other owners keep the old one. The
/// result must be assignable to `x`: `y` may broadcast, `x` does not grow.
namespace tenon::internal {

/// `X&`, or the error type of the operation or of the assignment of its result.
template <class Op, class X, class Y>
constexpr auto compound_type() {
  using Result = MapOf<Op, X const&, Y>;
  if constexpr (Mistake<Result>) return std::type_identity<Result>{};
  else if constexpr (Assignable<X, Result>) return std::type_identity<X&>{};
  else return unfit_value<X, Result>();
}

template <class Op, TensorType X, class Y>
using Compound = typename decltype(compound_type<Op, X, Y>())::type;

template <class R>
concept WellFormedCompound = std::is_reference_v<R>;

template <TensorType X, class Y, WellFormedCompound R = Compound<op::Add, X, Y>>
constexpr R operator+=(X& x, Y&& y) {
  return x = x + std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Add, X, Y>>
R operator+=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::Sub, X, Y>>
constexpr R operator-=(X& x, Y&& y) {
  return x = x - std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Sub, X, Y>>
R operator-=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::Mul, X, Y>>
constexpr R operator*=(X& x, Y&& y) {
  return x = x * std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Mul, X, Y>>
R operator*=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::Div, X, Y>>
constexpr R operator/=(X& x, Y&& y) {
  return x = x / std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Div, X, Y>>
R operator/=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::Mod, X, Y>>
constexpr R operator%=(X& x, Y&& y) {
  return x = x % std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Mod, X, Y>>
R operator%=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::BitAnd, X, Y>>
constexpr R operator&=(X& x, Y&& y) {
  return x = x & std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::BitAnd, X, Y>>
R operator&=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::BitOr, X, Y>>
constexpr R operator|=(X& x, Y&& y) {
  return x = x | std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::BitOr, X, Y>>
R operator|=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::BitXor, X, Y>>
constexpr R operator^=(X& x, Y&& y) {
  return x = x ^ std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::BitXor, X, Y>>
R operator^=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::ShiftLeft, X, Y>>
constexpr R operator<<=(X& x, Y&& y) {
  return x = x << std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::ShiftLeft, X, Y>>
R operator<<=(X& x, Y&& y);

template <TensorType X, class Y, WellFormedCompound R = Compound<op::ShiftRight, X, Y>>
constexpr R operator>>=(X& x, Y&& y) {
  return x = x >> std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::ShiftRight, X, Y>>
R operator>>=(X& x, Y&& y);

}  // namespace tenon::internal

namespace tenon {

using internal::operator%=;
using internal::operator&=;
using internal::operator*=;
using internal::operator+=;
using internal::operator-=;
using internal::operator/=;
using internal::operator<<=;
using internal::operator>>=;
using internal::operator^=;
using internal::operator|=;

}  // namespace tenon
