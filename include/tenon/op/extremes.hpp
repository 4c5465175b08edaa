#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/reference.hpp>

namespace tenon::op {

/// The larger one; NaN from either operand; ties split the gradient equally.
struct Maximum {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view onnx = "Max";
  static auto reference(auto a, auto b) {
    if (a == b) return std::signbit(a) ? b : a;
    return a != a || b != b ? a + b : std::fmax(a, b);
  }
  template <RealValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return maximum(a, b);
  }
  template <RealValue V>
  TENON_INLINE static constexpr auto d(V a, V b, V) {
    using T = scalar_of<V>;
    V const tie = select(a == b, V(T(0.5)), V(T(1)));
    return partials(select(a < b, V(T(0)), tie), select(b < a, V(T(0)), tie));
  }
};

/// The smaller one; NaN from either operand; ties split the gradient equally.
struct Minimum {
  static constexpr std::string_view name = "min";
  static constexpr std::string_view onnx = "Min";
  static auto reference(auto a, auto b) { return -Maximum::reference(-a, -b); }
  template <RealValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return minimum(a, b);
  }
  template <RealValue V>
  TENON_INLINE static constexpr auto d(V a, V b, V) {
    using T = scalar_of<V>;
    V const tie = select(a == b, V(T(0.5)), V(T(1)));
    return partials(select(b < a, V(T(0)), tie), select(a < b, V(T(0)), tie));
  }
};

using Extremes = List<Maximum, Minimum>;

}  // namespace tenon::op

namespace tenon {

/// The larger of two integers or floating numbers; NaN from either. The operands broadcast and have
/// one dtype. Ties divide the gradient. PyTorch, NumPy: `maximum`.
template <class X, class Y, WellFormed R = MapOf<op::Maximum, X, Y>>
constexpr auto(max)(X&& x, Y&& y) -> R {
  return map<op::Maximum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Maximum, X, Y>>
auto(max)(X&& x, Y&& y) -> R;

/// The smaller of two integers or floating numbers; NaN from either. The operands broadcast and
/// have one dtype. Ties divide the gradient. PyTorch, NumPy: `minimum`.
template <class X, class Y, WellFormed R = MapOf<op::Minimum, X, Y>>
constexpr auto(min)(X&& x, Y&& y) -> R {
  return map<op::Minimum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Minimum, X, Y>>
auto(min)(X&& x, Y&& y) -> R;

/// `max` of two under NumPy's name. PyTorch, NumPy: `maximum`.
template <class X, class Y, WellFormed R = MapOf<op::Maximum, X, Y>>
constexpr auto maximum(X&& x, Y&& y) -> R {
  return map<op::Maximum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Maximum, X, Y>>
auto maximum(X&& x, Y&& y) -> R;
/// `min` of two under NumPy's name. PyTorch, NumPy: `minimum`.
template <class X, class Y, WellFormed R = MapOf<op::Minimum, X, Y>>
constexpr auto minimum(X&& x, Y&& y) -> R {
  return map<op::Minimum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Minimum, X, Y>>
auto minimum(X&& x, Y&& y) -> R;

}  // namespace tenon

namespace tenon::internal {

template <class X, class L, class H>
using ClampOf = MapOf<op::Minimum, MapOf<op::Maximum, X, L>, H>;

}  // namespace tenon::internal

namespace tenon {

/// min(max(x, low), high) of integers and floating numbers; NaN stays. The bounds are numbers or
/// tensors of the dtype of `x`, and broadcast. Throws `ValueError` for a number outside the range
/// of an integer dtype. PyTorch: `clamp`. NumPy: `clip`.
template <class X, class L, class H, WellFormed R = internal::ClampOf<X, L, H>>
constexpr auto clamp(X&& x, L&& low, H&& high) -> R {
  return (min)((max)(std::forward<X>(x), std::forward<L>(low)), std::forward<H>(high));
}
template <class X, class L, class H, IllFormed R = internal::ClampOf<X, L, H>>
auto clamp(X&& x, L&& low, H&& high) -> R;

}  // namespace tenon
