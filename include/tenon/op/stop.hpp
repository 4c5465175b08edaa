#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/partials.hpp>

namespace tenon::op {

/// The same value, which counts as a constant.
struct StopGradient {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr std::string_view onnx = "Identity";
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

/// The same values, which count as constants. PyTorch: `detach`.
template <class X>
constexpr auto stop_gradient(X&& x) -> decltype(map<op::StopGradient>(std::forward<X>(x))) {
  return map<op::StopGradient>(std::forward<X>(x));
}

}  // namespace tenon
