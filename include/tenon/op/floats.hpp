#pragma once

#include <cmath>
#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>
#include <tenon/op/rounding.hpp>

/// Remainders, neighbours, powers of two, signs of infinities, and numbers between two.
namespace tenon::op {

/// |a| modulo b > 0 for a quotient below 2^`digits`: the rounded quotient is wrong by one at most.
template <class V>
constexpr V short_remainder(V a, V b) {
  using T = scalar_of<V>;
  V const rest = fma(-floor(a / b), b, a), zero = V(T(0));
  V const above = select(rest < zero, rest + b, rest);
  return select(above >= b, above - b, above);
}

/// The same for any quotient, by the multiples of b with powers of two.
template <class V>
constexpr V long_remainder(V a, V b) {
  using T = scalar_of<V>;
  constexpr int digits = Layout<T>::mantissa_bits - 1;
  constexpr int most = 2 * Layout<T>::bias + 2 * Layout<T>::mantissa_bits;
  V const lowest = exponent(b), fraction = mantissa(b), n = exponent(a) - lowest, zero = V(T(0));
  for (int shift = most / digits * digits; shift > 0; shift -= digits) {
    auto const applies = n >= V(T(shift));
    V const multiple = scale(fraction, lowest + select(applies, V(T(shift)), zero));
    a = select(applies, short_remainder(a, multiple), a);
  }
  return short_remainder(a, b);
}

/// C's fmod of numbers: exact.
struct RemainderOfNumbers {
  template <class T>
  constexpr T operator()(T x, T y) const {
    if (!__builtin_is_constant_evaluated()) return std::fmod(x, y);
    T const a = intrinsics::abs(x), b = intrinsics::abs(y);
    if (!(a < Layout<T>::infinity) || !(b > 0)) return Layout<T>::nan;
    T rest = a;
    while (rest >= b) {
      T part = b;
      while (part <= rest - part) part += part;
      rest -= part;
    }
    return intrinsics::copysign(rest, x);
  }
};

/// The remainder of the quotient towards zero, with the sign of x: exact.
struct Fmod {
  static constexpr std::string_view name = "fmod";
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x, auto y) { return std::fmod(x, y); }
  template <FloatingValue V>
  static constexpr V f(V x, V y) {
    if constexpr (requires { by_element(RemainderOfNumbers{}, x, y); }) {
      return by_element(RemainderOfNumbers{}, x, y);
    } else {
      using T = scalar_of<V>;
      V const a = abs(x), b = abs(y), infinity = V(Layout<T>::infinity);
      auto const is_usual = (a < infinity) & (b > V(T(0))) & (b < infinity);
      V const rest = select(a < b, a, long_remainder(a, select(is_usual, b, a)));
      V const other = select((a < infinity) & (b == infinity), a, V(Layout<T>::nan));
      return copysign(select(is_usual, rest, other), x);
    }
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y, V) {
    return partials(One{}, -applied<Trunc>(x / y));
  }
};

/// The number next to x towards y.
struct Nextafter {
  static constexpr std::string_view name = "nextafter";
  static auto reference(auto x, auto y) { return std::nextafter(x, y); }
  template <FloatingValue V>
  static constexpr V f(V x, V y) {
    using T = scalar_of<V>;
    auto const word = bits(abs(x));
    auto const step = decltype(bits(x))(typename Layout<T>::Bits{1});
    V const zero = V(T(0)), least = V(std::numeric_limits<T>::denorm_min());
    auto const grows = ((x > zero) & (y > x)) | ((x < zero) & (y < x));
    V const size = select(grows, from_bits(word + step), from_bits(word - step));
    V const next = select(x == zero, copysign(least, y), copysign(size, x));
    return select((x == x) & (y == y), select(x == y, y, next), x + y);
  }
};

/// x 2^n for an integer n, rounded once.
struct Ldexp {
  static constexpr std::string_view name = "ldexp";
  template <FloatingValue V>
  static constexpr V f(V x, V n) {
    using T = scalar_of<V>;
    V const a = abs(x), limit = V(T(2 * Layout<T>::bias - 8));
    auto const is_usual = (a > V(T(0))) & (a < V(Layout<T>::infinity));
    V const from = select(is_usual, a, V(T(1)));
    V const power = clamp(exponent(from) + n, -limit, limit);
    return select(is_usual, copysign(scale(mantissa(from), power), x), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V n, V) {
    return partials(applied<Ldexp>(V(scalar_of<V>(1)), n), Zero{});
  }
};

struct IsPosInf {
  static constexpr std::string_view name = "isposinf";
  template <class X>
  static mask_of<X> symbolic(X x) {
    return x == X(Layout<double>::infinity);
  }
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return x == V(Layout<scalar_of<V>>::infinity);
  }
};

struct IsNegInf {
  static constexpr std::string_view name = "isneginf";
  template <class X>
  static mask_of<X> symbolic(X x) {
    return x == X(-Layout<double>::infinity);
  }
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return x == V(-Layout<scalar_of<V>>::infinity);
  }
};

/// a + w (b - a), from the nearer end, so that it is a at 0 and b at 1.
struct Lerp {
  static constexpr std::string_view name = "lerp";
  template <class X>
  static X symbolic(X a, X b, X w) {
    return select(w < X(0.5), a + w * (b - a), b - (b - a) * (X(1) - w));
  }
  template <FloatingValue V>
  static constexpr V f(V a, V b, V w) {
    using T = scalar_of<V>;
    V const whole = b - a;
    return select(w < V(T(0.5)), fma(w, whole, a), fma(w - V(T(1)), whole, b));
  }
  template <FloatingValue V>
  static constexpr auto d(V a, V b, V w, V) {
    return partials(V(scalar_of<V>(1)) - w, w, b - a);
  }
};

using FloatsBinary = List<Fmod>;

}  // namespace tenon::op

namespace tenon {

/// The remainder x - trunc(x / y) y of floating numbers, with the sign of x: exact. NaN of an
/// infinite x or a zero y. PyTorch, NumPy: `fmod`.
template <class X, class Y, WellFormed R = MapOf<op::Fmod, X, Y>>
constexpr auto fmod(X&& x, Y&& y) -> R {
  return map<op::Fmod>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Fmod, X, Y>>
auto fmod(X&& x, Y&& y) -> R;

/// The number of the dtype next to x towards y, of `float` or `double`. It has no derivative.
/// PyTorch, NumPy: `nextafter`.
template <class X, class Y, WellFormed R = MapOf<op::Nextafter, X, Y>>
  requires(!internal::HalfType<typename R::value_type>)
constexpr auto nextafter(X&& x, Y&& y) -> R {
  return map<op::Nextafter>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Nextafter, X, Y>>
auto nextafter(X&& x, Y&& y) -> R;
template <class X, class Y, WellFormed R = MapOf<op::Nextafter, X, Y>>
  requires(internal::HalfType<typename R::value_type>)
auto nextafter(X&& x, Y&& y)
    -> internal::error::dtype_is_not_supported<internal::spec_of_name<op::Nextafter>,
                                               internal::spec_of_dtype<typename R::value_type>>;

/// x 2^n of floating numbers, rounded once; n are integers in the dtype of x (`to<float>(n)`), or
/// one number. Gradient with respect to n: 0. PyTorch, NumPy: `ldexp`.
template <class X, class N, WellFormed R = MapOf<op::Ldexp, X, N>>
constexpr auto ldexp(X&& x, N&& n) -> R {
  return map<op::Ldexp>(std::forward<X>(x), std::forward<N>(n));
}
template <class X, class N, IllFormed R = MapOf<op::Ldexp, X, N>>
auto ldexp(X&& x, N&& n) -> R;

/// A mask: whether a floating number is +inf. PyTorch, NumPy: `isposinf`.
template <class X, WellFormed R = MapOf<op::IsPosInf, X>>
constexpr auto isposinf(X&& x) -> R {
  return map<op::IsPosInf>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::IsPosInf, X>>
auto isposinf(X&& x) -> R;

/// A mask: whether a floating number is -inf. PyTorch, NumPy: `isneginf`.
template <class X, WellFormed R = MapOf<op::IsNegInf, X>>
constexpr auto isneginf(X&& x) -> R {
  return map<op::IsNegInf>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::IsNegInf, X>>
auto isneginf(X&& x) -> R;

/// x + weight (y - x) of floating numbers: x at weight 0, y at 1. All broadcast. PyTorch: `lerp`.
template <class X, class Y, class W, WellFormed R = MapOf<op::Lerp, X, Y, W>>
constexpr auto lerp(X&& x, Y&& y, W&& weight) -> R {
  return map<op::Lerp>(std::forward<X>(x), std::forward<Y>(y), std::forward<W>(weight));
}
template <class X, class Y, class W, IllFormed R = MapOf<op::Lerp, X, Y, W>>
auto lerp(X&& x, Y&& y, W&& weight) -> R;

}  // namespace tenon
