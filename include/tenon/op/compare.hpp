#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

template <class V>
concept IntegerValue = std::integral<scalar_of<V>> && !std::same_as<scalar_of<V>, bool>;

/// Comparisons accept two values of one type, or any two integers.
template <class A, class B>
concept Comparable = (IntegerValue<A> && IntegerValue<B>) || std::same_as<A, B>;

template <class A, class B>
concept Ordered = Comparable<A, B> && requires(A a, B b) {
  a < a;
  b < b;
};

/// For two integer types, the signed one and 64-bit `unsigned` have no common type.
template <class V>
inline constexpr bool is_widest = std::same_as<scalar_of<V>, std::uint64_t>;

template <class A, class B>
constexpr auto is_less(A a, B b) {
  if constexpr (std::same_as<A, B>) return a < b;
  else if constexpr (is_widest<A>) return (b > B(0)) & (a < convert<std::uint64_t>(b));
  else if constexpr (is_widest<B>) return (a < A(0)) | (convert<std::uint64_t>(a) < b);
  else return convert<std::int64_t>(a) < convert<std::int64_t>(b);
}

template <class A, class B>
constexpr auto is_equal(A a, B b) {
  if constexpr (std::same_as<A, B>) return a == b;
  else if constexpr (is_widest<A>) return (b >= B(0)) & (a == convert<std::uint64_t>(b));
  else if constexpr (is_widest<B>) return is_equal(b, a);
  else return convert<std::int64_t>(a) == convert<std::int64_t>(b);
}

struct Less {
  static constexpr std::string_view name = "less";
  static constexpr std::string_view onnx = "Less";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return is_less(a, b);
  }
};

struct LessEqual {
  static constexpr std::string_view name = "less_equal";
  static constexpr std::string_view onnx = "LessOrEqual";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    if constexpr (std::same_as<A, B>) return a <= b;
    else return !is_less(b, a);
  }
};

struct Greater {
  static constexpr std::string_view name = "greater";
  static constexpr std::string_view onnx = "Greater";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return is_less(b, a);
  }
};

struct GreaterEqual {
  static constexpr std::string_view name = "greater_equal";
  static constexpr std::string_view onnx = "GreaterOrEqual";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    if constexpr (std::same_as<A, B>) return a >= b;
    else return !is_less(a, b);
  }
};

struct Equal {
  static constexpr std::string_view name = "equal";
  static constexpr std::string_view onnx = "Equal";
  template <class A, class B>
    requires Comparable<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return is_equal(a, b);
  }
};

struct NotEqual {
  static constexpr std::string_view name = "not_equal";
  template <class X>
  static mask_of<X> symbolic(X a, X b) {
    return !(a == b);
  }
  template <class A, class B>
    requires Comparable<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return !is_equal(a, b);
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

/// Of two masks: exclusive or.
struct Xor {
  static constexpr std::string_view name = "xor";
  static constexpr std::string_view onnx = "Xor";
  template <MaskValue M>
  static constexpr M f(M a, M b) {
    return M(a ^ b);
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
using MaskBinary = List<And, Or, Xor>;

}  // namespace tenon::op
