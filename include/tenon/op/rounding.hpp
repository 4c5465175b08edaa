#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/reference.hpp>

namespace tenon::op {

/// Piecewise constant: its derivative is zero.
struct Flat {
  static constexpr Domain domain = Domain::nonzero;
  template <class V>
  static constexpr auto d(V, V) {
    return partials(Zero{});
  }
};

/// -1, 0 or 1; NaN stays NaN.
struct Sign : Flat {
  static constexpr std::string_view name = "sign";
  static constexpr std::string_view onnx = "Sign";
  static auto reference(auto x) { return x > 0 ? 1 : x < 0 ? -1 : x + 0; }
  template <RealValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), rest = select(x == zero, zero, x);
    return select(x > zero, V(T(1)), select(x < zero, V(static_cast<T>(-1)), rest));
  }
};

struct Floor : Flat {
  static constexpr std::string_view name = "floor";
  static constexpr std::string_view onnx = "Floor";
  static auto reference(auto x) { return std::floor(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return floor(x);
  }
};

struct Ceil : Flat {
  static constexpr std::string_view name = "ceil";
  static constexpr std::string_view onnx = "Ceil";
  static auto reference(auto x) { return std::ceil(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return -floor(-x);
  }
};

/// To the nearest integer, halves to even.
struct Round : Flat {
  static constexpr std::string_view name = "round";
  static constexpr std::string_view onnx = "Round";
  static auto reference(auto x) { return std::nearbyint(x); }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return round_even(x);
  }
};

/// Towards zero.
struct Trunc : Flat {
  static constexpr std::string_view name = "trunc";
  static auto reference(auto x) { return std::trunc(x); }
  template <class X>
  static X symbolic(X x) {
    return select(x > X(0), floor(x), applied<Ceil>(x));
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return copysign(floor(abs(x)), x);
  }
};

using Roundings = List<Sign, Floor, Ceil, Round, Trunc>;

}  // namespace tenon::op

namespace tenon {

/// -1, 0 or 1, of integers and floating numbers; NaN stays. Gradient: 0. PyTorch: `sign`.
template <class X, WellFormed R = MapOf<op::Sign, X>>
constexpr auto sign(X&& x) -> R {
  return map<op::Sign>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Sign, X>>
auto sign(X&& x) -> R;

/// The largest integer that is not above x, in its floating dtype. Gradient: 0. PyTorch: `floor`.
template <class X, WellFormed R = MapOf<op::Floor, X>>
constexpr auto floor(X&& x) -> R {
  return map<op::Floor>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Floor, X>>
auto floor(X&& x) -> R;

/// The smallest integer that is not below x, in its floating dtype. Gradient: 0. PyTorch: `ceil`.
template <class X, WellFormed R = MapOf<op::Ceil, X>>
constexpr auto ceil(X&& x) -> R {
  return map<op::Ceil>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Ceil, X>>
auto ceil(X&& x) -> R;

/// The nearest integer, halves to even, in the floating dtype of x. Gradient: 0. PyTorch: `round`.
template <class X, WellFormed R = MapOf<op::Round, X>>
constexpr auto round(X&& x) -> R {
  return map<op::Round>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Round, X>>
auto round(X&& x) -> R;

/// The integer next to x towards zero, in its floating dtype. Gradient: 0. PyTorch: `trunc`.
template <class X, WellFormed R = MapOf<op::Trunc, X>>
constexpr auto trunc(X&& x) -> R {
  return map<op::Trunc>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Trunc, X>>
auto trunc(X&& x) -> R;

}  // namespace tenon
