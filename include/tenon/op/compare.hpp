#pragma once

#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

struct Less {
  static constexpr std::string_view name = "less";
  static constexpr std::string_view onnx = "Less";
  template <class V>
  static constexpr auto f(V a, V b) {
    return a < b;
  }
};

struct LessEqual {
  static constexpr std::string_view name = "less_equal";
  static constexpr std::string_view onnx = "LessOrEqual";
  template <class V>
  static constexpr auto f(V a, V b) {
    return a <= b;
  }
};

struct Greater {
  static constexpr std::string_view name = "greater";
  static constexpr std::string_view onnx = "Greater";
  template <class V>
  static constexpr auto f(V a, V b) {
    return a > b;
  }
};

struct GreaterEqual {
  static constexpr std::string_view name = "greater_equal";
  static constexpr std::string_view onnx = "GreaterOrEqual";
  template <class V>
  static constexpr auto f(V a, V b) {
    return a >= b;
  }
};

struct Equal {
  static constexpr std::string_view name = "equal";
  static constexpr std::string_view onnx = "Equal";
  template <class V>
  static constexpr auto f(V a, V b) {
    return a == b;
  }
};

struct NotEqual {
  static constexpr std::string_view name = "not_equal";
  template <class V>
  static constexpr auto f(V a, V b) {
    return a != b;
  }
};

/// Of two masks.
struct And {
  static constexpr std::string_view name = "and";
  static constexpr std::string_view onnx = "And";
  template <MaskValue M>
  static constexpr M f(M a, M b) {
    return M(a & b);
  }
};

/// Of two masks.
struct Or {
  static constexpr std::string_view name = "or";
  static constexpr std::string_view onnx = "Or";
  template <MaskValue M>
  static constexpr M f(M a, M b) {
    return M(a | b);
  }
};

/// Of a mask.
struct Not {
  static constexpr std::string_view name = "not";
  static constexpr std::string_view onnx = "Not";
  template <MaskValue M>
  static constexpr M f(M a) {
    return !a;
  }
};

using Comparisons = List<Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual>;
using MaskUnary = List<Not>;
using MaskBinary = List<And, Or>;

}  // namespace tenon::op
