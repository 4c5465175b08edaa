#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>

/// Predicates of one number; the result is a mask.
namespace tenon::op {

struct IsNan {
  static constexpr std::string_view name = "isnan";
  static constexpr std::string_view onnx = "IsNaN";
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return x != x;
  }
};

struct IsInf {
  static constexpr std::string_view name = "isinf";
  static constexpr std::string_view onnx = "IsInf";
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return abs(x) == V(Layout<scalar_of<V>>::infinity);
  }
};

/// Neither infinite nor NaN.
struct IsFinite {
  static constexpr std::string_view name = "isfinite";
  template <class X>
  static mask_of<X> symbolic(X x) {
    return abs(x) < X(Layout<double>::infinity);
  }
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return abs(x) < V(Layout<scalar_of<V>>::infinity);
  }
};

using Predicates = List<IsNan, IsInf, IsFinite>;

}  // namespace tenon::op

namespace tenon {

/// A mask: whether a floating number is NaN. PyTorch: `isnan`.
template <class X, WellFormed R = MapOf<op::IsNan, X>>
constexpr auto isnan(X&& x) -> R {
  return map<op::IsNan>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::IsNan, X>>
auto isnan(X&& x) -> R;

/// A mask: whether a floating number is infinite, of either sign. PyTorch: `isinf`.
template <class X, WellFormed R = MapOf<op::IsInf, X>>
constexpr auto isinf(X&& x) -> R {
  return map<op::IsInf>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::IsInf, X>>
auto isinf(X&& x) -> R;

/// A mask: whether a floating number is neither infinite nor NaN. PyTorch: `isfinite`.
template <class X, WellFormed R = MapOf<op::IsFinite, X>>
constexpr auto isfinite(X&& x) -> R {
  return map<op::IsFinite>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::IsFinite, X>>
auto isfinite(X&& x) -> R;

}  // namespace tenon
