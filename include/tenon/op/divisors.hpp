#pragma once

#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/op/integer.hpp>

/// Common divisors and multiples of integers.
namespace tenon::op {

/// Euclid's algorithm for numbers.
struct DivisorOfNumbers {
  template <class T>
  constexpr T operator()(T a, T b) const {
    using U = std::make_unsigned_t<T>;
    U large = static_cast<U>(intrinsics::abs(a)), small = static_cast<U>(intrinsics::abs(b));
    while (small != 0) large = std::exchange(small, static_cast<U>(large % small));
    return static_cast<T>(large);
  }
};

/// The greatest common divisor; 0 of two zeros. (In kernels of devices the steps of Euclid's
/// algorithm are written out: Fibonacci numbers need 1.45 for each bit.)
struct Gcd {
  static constexpr std::string_view name = "gcd";
  template <IntegerValue V>
  static constexpr V f(V a, V b) {
    if constexpr (requires { by_element(DivisorOfNumbers{}, a, b); }) {
      return by_element(DivisorOfNumbers{}, a, b);
    } else {
      constexpr int steps = 3 * std::numeric_limits<scalar_of<V>>::digits / 2 + 1;
      for (int i = 0; i < steps; ++i) {
        V const rest = modulo(a, b);
        a = select(b == zero_of<V>(), a, b);
        b = rest;
      }
      return abs(a);
    }
  }
};

/// The least common multiple; 0 if one is zero. It wraps around.
struct Lcm {
  static constexpr std::string_view name = "lcm";
  template <IntegerValue V>
  static constexpr V f(V a, V b) {
    return multiply(abs(divide(abs(a), Gcd::f(a, b))), abs(b));
  }
};

using DivisorsBinary = List<Gcd, Lcm>;

}  // namespace tenon::op

namespace tenon {

/// The greatest common divisor of integers of one dtype, 0 of two zeros. NumPy, PyTorch: `gcd`.
template <class X, class Y, WellFormed R = MapOf<op::Gcd, X, Y>>
constexpr auto gcd(X&& x, Y&& y) -> R {
  return map<op::Gcd>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Gcd, X, Y>>
auto gcd(X&& x, Y&& y) -> R;

/// The least common multiple of integers of one dtype, 0 if one is zero; it wraps around. NumPy,
/// PyTorch: `lcm`.
template <class X, class Y, WellFormed R = MapOf<op::Lcm, X, Y>>
constexpr auto lcm(X&& x, Y&& y) -> R {
  return map<op::Lcm>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Lcm, X, Y>>
auto lcm(X&& x, Y&& y) -> R;

}  // namespace tenon
