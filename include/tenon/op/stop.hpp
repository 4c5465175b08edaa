#pragma once

#include <string_view>

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
