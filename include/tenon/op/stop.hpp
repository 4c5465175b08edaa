#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>

namespace tenon::op {

/// The same value, a constant for derivatives.
struct StopGradient {
  static constexpr std::string_view name = "stop_gradient";
  template <class X>
  static X symbolic(X x) {
    return x;
  }
  template <class V>
  static constexpr V f(V x) {
    return x;
  }
  template <class V>
  static constexpr auto d(V, V) {
    return partials(Zero{});
  }
};

}  // namespace tenon::op

namespace tenon {

/// The same values, constants for derivatives; any dtype and shape. PyTorch: `detach`. JAX:
/// `stop_gradient`.
template <class X, WellFormed R = MapOf<op::StopGradient, X>>
constexpr auto stop_gradient(X&& x) -> R {
  return map<op::StopGradient>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::StopGradient, X>>
auto stop_gradient(X&& x) -> R;

}  // namespace tenon
