#pragma once

#include <cmath>
#include <complex>
#include <string_view>
#include <utility>

#include <tenon/op/arithmetic.hpp>
#include <tenon/op/cast.hpp>
#include <tenon/op/exponential.hpp>
#include <tenon/op/function.hpp>
#include <tenon/op/hyperbolic.hpp>
#include <tenon/op/partials.hpp>
#include <tenon/op/power.hpp>
#include <tenon/op/predicate.hpp>
#include <tenon/op/trigonometric.hpp>

/// The ops of complex numbers, element by element by the functions of `std::complex`.
namespace tenon::op {

/// A constant of the dtype of a complex value.
template <ComplexValue V>
V complex_constant(double real, double imag = 0) {
  using Part = typename scalar_of<V>::value_type;
  return V(scalar_of<V>(static_cast<Part>(real), static_cast<Part>(imag)));
}

struct Real {
  static constexpr std::string_view name = "real";
  template <ComplexValue V>
  static auto f(V x) {
    return by_element([](auto z) { return z.real(); }, x);
  }
  template <ComplexValue V, class Y>
  static auto d(V, Y) {
    return partials(One{});
  }
};

struct Imag {
  static constexpr std::string_view name = "imag";
  template <ComplexValue V>
  static auto f(V x) {
    return by_element([](auto z) { return z.imag(); }, x);
  }
  template <ComplexValue V, class Y>
  static auto d(V, Y) {
    return partials(complex_constant<V>(0, -1));
  }
};

struct Conj {
  static constexpr std::string_view name = "conj";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::conj(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V, V) {
    return partials(Conjugate{});
  }
};

/// The argument of a complex number, from -pi to pi.
struct Argument {
  static constexpr std::string_view name = "angle";
  template <ComplexValue V>
  static auto f(V x) {
    return by_element([](auto z) { return std::arg(z); }, x);
  }
  template <ComplexValue V, class Y>
  static auto d(V x, Y) {
    return partials(complex_constant<V>(0, -1) / x);
  }
};

/// re + i im.
struct MakeComplex {
  static constexpr std::string_view name = "complex";
  template <FloatingValue V>
  static auto f(V re, V im) {
    return by_element([](auto x, auto y) { return std::complex<decltype(x)>(x, y); }, re, im);
  }
  template <FloatingValue V, ComplexValue Y>
  static auto d(V, V, Y) {
    return partials(One{}, complex_constant<Y>(0, 1));
  }
};

struct ComplexAbs {
  static constexpr std::string_view name = "abs";
  template <ComplexValue V>
  static auto f(V x) {
    return by_element([](auto z) { return std::abs(z); }, x);
  }
  template <ComplexValue V, class Y>
  static auto d(V x, Y y) {
    auto const direction = [](auto z, auto size) {
      return size == 0 ? decltype(z)() : std::conj(z) / size;
    };
    return partials(by_element(direction, x, y));
  }
};

struct ComplexSqrt {
  static constexpr std::string_view name = "sqrt";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::sqrt(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V, V y) {
    return partials(complex_constant<V>(0.5) / y);
  }
};

struct ComplexReciprocal {
  static constexpr std::string_view name = "reciprocal";
  template <ComplexValue V>
  static V f(V x) {
    return complex_constant<V>(1) / x;
  }
  template <ComplexValue V>
  static auto d(V, V y) {
    return partials(-(y * y));
  }
};

struct ComplexExp {
  static constexpr std::string_view name = "exp";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::exp(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V, V y) {
    return partials(y);
  }
};

struct ComplexLog {
  static constexpr std::string_view name = "log";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::log(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V x, V) {
    return partials(complex_constant<V>(1) / x);
  }
};

/// 1 for an exponent of 0, also of a base of 0.
struct ComplexPow {
  static constexpr std::string_view name = "pow";
  template <ComplexValue V>
  static V f(V a, V b) {
    auto const power = [](auto x, auto y) {
      return y == decltype(y)() ? decltype(y)(1) : std::pow(x, y);
    };
    return by_element(power, a, b);
  }
  template <ComplexValue V>
  static auto d(V a, V b, V y) {
    V const zero = complex_constant<V>(0);
    V const by_base = select(b == zero, zero, b * f(a, b - complex_constant<V>(1)));
    return partials(by_base, select(a == zero, zero, y * ComplexLog::f(a)));
  }
};

struct ComplexCos;

struct ComplexSin {
  static constexpr std::string_view name = "sin";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::sin(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V x, V) {
    return partials(applied<ComplexCos>(x));
  }
};

struct ComplexCos {
  static constexpr std::string_view name = "cos";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::cos(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V x, V) {
    return partials(-applied<ComplexSin>(x));
  }
};

struct ComplexTan {
  static constexpr std::string_view name = "tan";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::tan(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V, V y) {
    return partials(y * y + complex_constant<V>(1));
  }
};

struct ComplexCosh;

struct ComplexSinh {
  static constexpr std::string_view name = "sinh";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::sinh(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V x, V) {
    return partials(applied<ComplexCosh>(x));
  }
};

struct ComplexCosh {
  static constexpr std::string_view name = "cosh";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::cosh(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V x, V) {
    return partials(applied<ComplexSinh>(x));
  }
};

struct ComplexTanh {
  static constexpr std::string_view name = "tanh";
  template <ComplexValue V>
  static V f(V x) {
    return by_element([](auto z) { return std::tanh(z); }, x);
  }
  template <ComplexValue V>
  static auto d(V, V y) {
    return partials(complex_constant<V>(1) - y * y);
  }
};

/// A predicate of a complex number from that of its parts.
struct ComplexIsNan {
  static constexpr std::string_view name = "isnan";
  template <ComplexValue V>
  static mask_of<V> f(V x) {
    return by_element([](auto z) { return std::isnan(z.real()) || std::isnan(z.imag()); }, x);
  }
};

struct ComplexIsInf {
  static constexpr std::string_view name = "isinf";
  template <ComplexValue V>
  static mask_of<V> f(V x) {
    return by_element([](auto z) { return std::isinf(z.real()) || std::isinf(z.imag()); }, x);
  }
};

struct ComplexIsFinite {
  static constexpr std::string_view name = "isfinite";
  template <ComplexValue V>
  static mask_of<V> f(V x) {
    return by_element([](auto z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }, x);
  }
};

}  // namespace tenon::op

namespace tenon::internal {

template <class Op>
struct OnComplexAs {
  using type = Op;
};
template <>
struct OnComplex<op::Abs> : OnComplexAs<op::ComplexAbs> {};
template <>
struct OnComplex<op::Sqrt> : OnComplexAs<op::ComplexSqrt> {};
template <>
struct OnComplex<op::Reciprocal> : OnComplexAs<op::ComplexReciprocal> {};
template <>
struct OnComplex<op::Exp> : OnComplexAs<op::ComplexExp> {};
template <>
struct OnComplex<op::Log> : OnComplexAs<op::ComplexLog> {};
template <>
struct OnComplex<op::Pow> : OnComplexAs<op::ComplexPow> {};
template <>
struct OnComplex<op::Sin> : OnComplexAs<op::ComplexSin> {};
template <>
struct OnComplex<op::Cos> : OnComplexAs<op::ComplexCos> {};
template <>
struct OnComplex<op::Tan> : OnComplexAs<op::ComplexTan> {};
template <>
struct OnComplex<op::Sinh> : OnComplexAs<op::ComplexSinh> {};
template <>
struct OnComplex<op::Cosh> : OnComplexAs<op::ComplexCosh> {};
template <>
struct OnComplex<op::Tanh> : OnComplexAs<op::ComplexTanh> {};
template <>
struct OnComplex<op::IsNan> : OnComplexAs<op::ComplexIsNan> {};
template <>
struct OnComplex<op::IsInf> : OnComplexAs<op::ComplexIsInf> {};
template <>
struct OnComplex<op::IsFinite> : OnComplexAs<op::ComplexIsFinite> {};

}  // namespace tenon::internal

namespace tenon {

/// The real part of complex numbers. PyTorch: `real`.
template <class X, WellFormed R = MapOf<op::Real, X>>
constexpr auto real(X&& x) -> R {
  return map<op::Real>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Real, X>>
auto real(X&& x) -> R;

/// The imaginary part of complex numbers. PyTorch: `imag`.
template <class X, WellFormed R = MapOf<op::Imag, X>>
constexpr auto imag(X&& x) -> R {
  return map<op::Imag>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Imag, X>>
auto imag(X&& x) -> R;

/// The complex conjugate. PyTorch: `conj`.
template <class X, WellFormed R = MapOf<op::Conj, X>>
constexpr auto conj(X&& x) -> R {
  return map<op::Conj>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Conj, X>>
auto conj(X&& x) -> R;

/// The argument of complex numbers, in radians from -pi to pi. PyTorch: `angle`.
template <class X, WellFormed R = MapOf<op::Argument, X>>
constexpr auto angle(X&& x) -> R {
  return map<op::Argument>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Argument, X>>
auto angle(X&& x) -> R;

/// The complex numbers re + i im from two tensors of `float` or `double`, which broadcast. PyTorch:
/// `complex`. JAX: `lax.complex`.
template <class A, class B, WellFormed R = MapOf<op::MakeComplex, A, B>>
constexpr auto complex(A&& re, B&& im) -> R {
  return map<op::MakeComplex>(std::forward<A>(re), std::forward<B>(im));
}
template <class A, class B, IllFormed R = MapOf<op::MakeComplex, A, B>>
auto complex(A&& re, B&& im) -> R;

/// The complex numbers r exp(i angle) from absolute values and angles in radians, of `float` or
/// `double`, which broadcast. PyTorch: `polar`.
template <class A, class B, WellFormed R = MapOf<op::MakeComplex, A const&, B const&>>
constexpr auto polar(A const& r, B const& angle) {
  return complex(r * cos(angle), r * sin(angle));
}
template <class A, class B, IllFormed R = MapOf<op::MakeComplex, A const&, B const&>>
auto polar(A const& r, B const& angle) -> R;

}  // namespace tenon
