#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/reference.hpp>

namespace tenon::op {

struct Add {
  static constexpr std::string_view name = "add";
  static constexpr std::string_view onnx = "Add";
  static auto reference(auto a, auto b) { return a + b; }
  template <NumberValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return add(a, b);
  }
  template <NumberValue V>
  TENON_INLINE static constexpr auto d(V, V, V) {
    return partials(One{}, One{});
  }
};

struct Sub {
  static constexpr std::string_view name = "sub";
  static constexpr std::string_view onnx = "Sub";
  static auto reference(auto a, auto b) { return a - b; }
  template <NumberValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return subtract(a, b);
  }
  template <NumberValue V>
  TENON_INLINE static constexpr auto d(V, V, V) {
    return partials(One{}, V(scalar_of<V>(-1)));
  }
};

struct Mul {
  static constexpr std::string_view name = "mul";
  static constexpr std::string_view onnx = "Mul";
  static auto reference(auto a, auto b) { return a * b; }
  template <NumberValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return multiply(a, b);
  }
  template <NumberValue V>
  TENON_INLINE static constexpr auto d(V a, V b, V) {
    return partials(b, a);
  }
};

struct Div {
  static constexpr std::string_view name = "div";
  static constexpr std::string_view onnx = "Div";
  static auto reference(auto a, auto b) { return a / b; }
  template <Spec Dtype>
  using integer_mistake = compile_error::integers_need_floor_divide_or_to_float<"div", Dtype>;
  template <QuotientValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return divide(a, b);
  }
  template <QuotientValue V>
  TENON_INLINE static constexpr auto d(V, V b, V y) {
    V const reciprocal = V(scalar_of<V>(1)) / b;  // infinite for the smallest b
    return partials(reciprocal, select(y == V(scalar_of<V>(0)), -y, -y * reciprocal));
  }
};

struct Neg {
  static constexpr std::string_view name = "neg";
  static constexpr std::string_view onnx = "Neg";
  static auto reference(auto x) { return -x; }
  template <NumberValue V>
  TENON_INLINE static constexpr V f(V x) {
    if constexpr (!std::integral<scalar_of<V>>) return -x;
    else return subtract(V(scalar_of<V>(0)), x);
  }
  template <NumberValue V>
  TENON_INLINE static constexpr auto d(V, V) {
    return partials(V(scalar_of<V>(-1)));
  }
};

struct Abs {
  static constexpr std::string_view name = "abs";
  static constexpr std::string_view onnx = "Abs";
  static constexpr Domain domain = Domain::nonzero;
  static auto reference(auto x) { return std::fabs(x); }
  template <RealValue V>
  TENON_INLINE static constexpr V f(V x) {
    return abs(x);
  }
  template <RealValue V>
  TENON_INLINE static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    return partials(select(x == V(T(0)), V(T(0)), copysign(V(T(1)), x)));
  }
};

struct Sqrt {
  static constexpr std::string_view name = "sqrt";
  static constexpr std::string_view onnx = "Sqrt";
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x) { return std::sqrt(x); }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    return sqrt(x);
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr auto d(V, V y) {
    return partials(V(scalar_of<V>(0.5)) / y);
  }
};

/// The square root of a sum of squares. Its derivative at zero is 0, the least subgradient of the
/// norm.
struct NormRoot : Sqrt {
  template <FloatingValue V>
  TENON_INLINE static constexpr auto d(V, V y) {
    V const zero = V(scalar_of<V>(0));
    return partials(select(y == zero, zero, V(scalar_of<V>(0.5)) / y));
  }
};

/// 1 / x.
struct Reciprocal {
  static constexpr std::string_view name = "reciprocal";
  static constexpr std::string_view onnx = "Reciprocal";
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x) { return 1 / x; }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    return V(scalar_of<V>(1)) / x;
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr auto d(V, V y) {
    return partials(-y * y);
  }
};

/// 1 / sqrt(x).
struct Rsqrt {
  static constexpr std::string_view name = "rsqrt";
  static constexpr Accuracy accuracy{2, 1.6};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x) { return 1 / std::sqrt(x); }
  template <class X>
  static X symbolic(X x) {
    return applied<Reciprocal>(sqrt(x));
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    return V(scalar_of<V>(1)) / sqrt(x);
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr auto d(V x, V y) {
    return partials(V(scalar_of<V>(-0.5)) * (y / x));
  }
};

struct Square {
  static constexpr std::string_view name = "square";
  static auto reference(auto x) { return x * x; }
  template <class X>
  static X symbolic(X x) {
    return x * x;
  }
  template <NumberValue V>
  TENON_INLINE static constexpr V f(V x) {
    return multiply(x, x);
  }
  template <NumberValue V>
  TENON_INLINE static constexpr auto d(V x, V) {
    return partials(x + x);
  }
};

using ArithmeticUnary = List<Neg, Abs, Sqrt, Rsqrt, Reciprocal, Square>;
using ArithmeticBinary = List<Add, Sub, Mul, Div>;

}  // namespace tenon::op

namespace tenon {

/// The absolute value of integers and floating numbers. PyTorch: `abs`.
template <class X, WellFormed R = MapOf<op::Abs, X>>
constexpr auto abs(X&& x) -> R {
  return map<op::Abs>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Abs, X>>
auto abs(X&& x) -> R;

/// The square root of floating numbers; NaN below zero. Correctly rounded. PyTorch: `sqrt`.
template <class X, WellFormed R = MapOf<op::Sqrt, X>>
constexpr auto sqrt(X&& x) -> R {
  return map<op::Sqrt>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Sqrt, X>>
auto sqrt(X&& x) -> R;

/// 1 / sqrt(x) of floating numbers; infinity at 0, NaN below. Within 2 ulp in `float`, 1.6 in
/// `double`. PyTorch: `rsqrt`.
template <class X, WellFormed R = MapOf<op::Rsqrt, X>>
constexpr auto rsqrt(X&& x) -> R {
  return map<op::Rsqrt>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Rsqrt, X>>
auto rsqrt(X&& x) -> R;

/// 1 / x of floating numbers. Correctly rounded. PyTorch: `reciprocal`.
template <class X, WellFormed R = MapOf<op::Reciprocal, X>>
constexpr auto reciprocal(X&& x) -> R {
  return map<op::Reciprocal>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Reciprocal, X>>
auto reciprocal(X&& x) -> R;

/// x² of any numbers; of integers it wraps around. PyTorch: `square`.
template <class X, WellFormed R = MapOf<op::Square, X>>
constexpr auto square(X&& x) -> R {
  return map<op::Square>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Square, X>>
auto square(X&& x) -> R;

}  // namespace tenon
