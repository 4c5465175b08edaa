#pragma once

#include <cmath>
#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>
#include <tenon/op/special_coefficients.hpp>
#include <tenon/op/trigonometric.hpp>

/// The inverse error function, and the gamma function's logarithm with its derivatives.
namespace tenon::op {

/// The derivative of erfinv at its value: sqrt(pi) / 2 exp(y^2).
template <class V>
constexpr V derivative_of_erfinv(V y) {
  return V(scalar_of<V>(0.88622692545275801365)) * applied<Exp>(y * y);
}

/// The y with erf(y) = x; infinite at -1 and 1, NaN beyond (after Giles, "Approximating the erfinv
/// function", 2012).
struct Erfinv {
  static constexpr std::string_view name = "erfinv";
  static constexpr Accuracy accuracy{4, 4};
  static constexpr Domain domain = Domain::within_one;
  /// By Halley's method.
  template <class N>
  static N reference(N x) {
    N const size = std::fabs(x), rest = 1 - size;
    if (!(size < 1)) return size == 1 ? x / 0 : N(NAN);
    if (size < N(1e-9)) return x * N(0.88622692545275801364908374167057259139L);
    N y = size < N(0.7) ? size : std::sqrt(-std::log(rest));
    for (int i = 0; i < 12; ++i) {
      N const error = size < N(0.5) ? size - std::erf(y) : std::erfc(y) - rest;
      N const step = error * N(0.88622692545275801364908374167057259139L) * std::exp(y * y);
      y += step / (1 - y * step);
    }
    return std::copysign(y, x);
  }
  template <class X>
  static X symbolic(X x) {
    return f(x);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = SpecialCoefficients<T>;
    V const one = V(T(1)), w = -applied<Log>((one - x) * (one + x)), root = sqrt(w);
    V const center = polynomial(w - V(T(3.125)), C::erfinv_center);
    V tail = polynomial(root - V(T(3.25)), C::erfinv_middle);
    if constexpr (sizeof(T) == 8)
      tail = select(w < V(T(16)), tail, polynomial(root - V(T(5)), C::erfinv_tail));
    V const y = x * select(w < V(T(6.25)), center, tail);
    return select(abs(x) == one, x * V(Layout<T>::infinity), y);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(derivative_of_erfinv(y));
  }
};

/// cot(pi r) for |r| <= 1/2, by the distance from 1/2, which is exact where the cosine is small.
template <class V>
constexpr V cot_pi(V r) {
  using T = scalar_of<V>;
  V const pi = V(T(3.14159265358979323846));
  return applied<Sin>(pi * (V(T(0.5)) - abs(r))) / applied<Sin>(pi * r);
}

/// The distance of x from the nearest integer: exact.
template <class V>
TENON_INLINE constexpr V distance_to_integer(V x) {
  return x - round_even(x);
}

/// log |Gamma(x)|; infinite at 0, at negative integers and at both infinities.
struct Lgamma {
  static constexpr std::string_view name = "lgamma";
  static constexpr Accuracy accuracy{6.5, 5};
  static constexpr Domain domain = Domain::positive;
  static auto reference(auto x) { return std::lgamma(x); }
  /// The size of the terms, which cancel beside the zeros below 0.
  static auto terms(auto x) { return x < 0 ? std::fabs(std::lgamma(-x)) + 4 : decltype(x)(0); }

  /// For x above -1/2: with Gamma(2 + e) for |e| <= 1/2 and a product of factors, or by Stirling's
  /// series.
  template <class V>
  static constexpr V direct_value(V x) {
    using T = scalar_of<V>;
    using C = SpecialCoefficients<T>;
    auto const is_first = x < V(T(0.5)), is_below = x < V(T(1.5)), is_large = x >= V(T(8));
    V const one = V(T(1)), inverse = one / x;
    V e = select(is_large, one, x) - V(T(2)), factor = one;
    for (int i = 0; i < 6; ++i) {
      auto const is_above = e > V(T(0.5));
      factor = select(is_above, factor * (e + one), factor);
      e = select(is_above, e - one, e);
    }
    e = select(is_first, x, select(is_below, x - one, e));
    factor = select(is_first, abs(x * (x + one)), select(is_below | is_large, x, factor));
    V const series = e * polynomial(e, C::lgamma), log = applied<Log>(factor);
    V const rest = fma(inverse, polynomial(inverse * inverse, C::stirling), V(T(half_log)));
    V const tail = fma(x - V(T(0.5)), log - one, rest);
    return select(is_large, tail, select(is_below, series - log, series + log));
  }
  static constexpr double half_log = 0.41893853320467274178;  // log(2 pi) / 2 - 1 / 2
  /// log(pi / |x sin(pi x)|) - lgamma(-x), for x below -1/2.
  template <class V>
  static constexpr V reflection(V x) {
    using T = scalar_of<V>;
    V const size = abs(x), pi = V(T(3.14159265358979323846)), infinity = V(Layout<T>::infinity);
    V const sine = abs(applied<Sin>(pi * distance_to_integer(size)));
    auto const is_pole = (sine == V(T(0))) | (size == infinity);
    return select(is_pole, infinity, applied<Log>(pi / (size * sine)) - direct_value(size));
  }
  template <class X>
  static X symbolic(X x) {
    return f(x);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return rarely(
        x <= V(scalar_of<V>(-0.5)), x, [](auto lane) { return reflection(lane); }, direct_value(x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V);
};

/// The derivative of lgamma; -inf at 0, inf at -0, NaN at negative integers.
struct Digamma {
  static constexpr std::string_view name = "digamma";
  static constexpr Accuracy accuracy{4, 4};
  static constexpr Domain domain = Domain::positive;
  /// By the asymptotic series above 32.
  template <class N>
  static N reference(N x) {
    if (x == 0) return -1 / x;
    N const pi = N(3.14159265358979323846264338327950288L);
    if (x < 0) {
      N const rest = x - std::nearbyint(x);
      return rest == 0 || rest != rest ? N(NAN) : reference(1 - x) - pi / std::tan(pi * rest);
    }
    N total = 0;
    for (; x < 32; ++x) total += 1 / x;
    N const z = 1 / (x * x);
    N const series =
        N(1) / 12 -
        z * (N(1) / 120 -
             z * (N(1) / 252 - z * (N(1) / 240 - z * (N(1) / 132 - z * N(691) / 32760))));
    return std::log(x) - 1 / (2 * x) - z * series - total;
  }
  /// The size of the terms, and of the change by the rounding error of 1 - x.
  static auto terms(auto x) {
    return x < 0 ? 1 + 2 * std::fabs(reference(1 - x)) + std::fabs(reference(x)) : decltype(x)(0);
  }
  /// For x not below 0: by digamma from 1 to 2 and a sum of reciprocals, or by its series.
  template <class V>
  static constexpr V direct_value(V x) {
    using T = scalar_of<V>;
    using C = SpecialCoefficients<T>;
    auto const is_first = x < V(T(1)), is_large = x >= V(T(8));
    V const zero = V(T(0)), one = V(T(1)), inverse = one / x, square = inverse * inverse;
    V reduced = select(is_first | is_large, one, x), total = zero, product = one;
    for (int i = 0; i < 6; ++i) {
      auto const is_above = reduced >= V(T(2));
      reduced = select(is_above, reduced - one, reduced);
      total = select(is_above, fma(total, reduced, product), total);
      product = select(is_above, product * reduced, product);
    }
    reduced = select(is_first, x + one, reduced);
    V const beside = select(is_first, -inverse, total / product);
    V const above_root = (reduced - V(C::root)) - V(C::root_low);
    V const small = fma(above_root, polynomial(reduced - V(T(1.5)), C::digamma), beside);
    V const large =
        applied<Log>(x) - fma(V(T(0.5)), inverse, -square * polynomial(square, C::digamma_large));
    return select(is_large, large, small);
  }
  /// digamma(1 - x) - pi / tan(pi x), for x below 0.
  template <class V>
  static constexpr V reflection(V x) {
    using T = scalar_of<V>;
    V const pi = V(T(3.14159265358979323846)), rest = distance_to_integer(x);
    V const y = direct_value(V(T(1)) - x) - pi * cot_pi(rest);
    return select(rest == V(T(0)), V(Layout<T>::nan), y);
  }
  template <class X>
  static X symbolic(X x) {
    return f(x);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return rarely(
        x < V(scalar_of<V>(0)), x, [](auto lane) { return reflection(lane); }, direct_value(x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V);
};

template <FloatingValue V>
constexpr auto Lgamma::d(V x, V) {
  return partials(applied<Digamma>(x));
}

/// The factors of the asymptotic series of a polygamma function: B_2k (2k + n - 1)! / (2k)!.
template <int n>
struct PolygammaSeries {
  static constexpr int count = 12;
  static constexpr std::size_t powers = static_cast<std::size_t>(n) + 2;
  double terms[count]{};
  double factorial = 1;            ///< n!
  double cotangent[powers]{0, 1};  ///< The nth derivative of cot(pi x), in cot(pi x), over pi^n.

  constexpr PolygammaSeries() {
    constexpr double bernoulli[count] = {1.0 / 6,         -1.0 / 30,      1.0 / 42,
                                         -1.0 / 30,       5.0 / 66,       -691.0 / 2730,
                                         7.0 / 6,         -3617.0 / 510,  43867.0 / 798,
                                         -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};
    for (int i = 2; i <= n; ++i) factorial *= i;
    for (int k = 1; k <= count; ++k) {
      terms[k - 1] = bernoulli[k - 1];
      for (int i = 2 * k + 1; i < 2 * k + n; ++i) terms[k - 1] *= i;
    }
    for (int i = 1; i <= n; ++i) {
      double next[powers]{};
      for (int k = 1; k <= i; ++k) {
        next[k - 1] -= k * cotangent[k];
        if (k + 1 < n + 2) next[k + 1] -= k * cotangent[k];
      }
      for (int k = 0; k < n + 2; ++k) cotangent[k] = next[k];
    }
  }
};

/// x^n for a small n.
template <int n, class V>
constexpr V power_of(V x) {
  if constexpr (n == 0) return V(scalar_of<V>(1));
  else return x * power_of<n - 1>(x);
}

/// The nth derivative of digamma.
template <int n>
struct Polygamma {
  static_assert(n >= 1 && n <= 4, "tenon::polygamma: an order from 1 to 4");
  static constexpr char text[] = {'p', 'o', 'l', 'y', 'g', 'a', 'm', 'm', 'a', '0' + n};
  static constexpr std::string_view name{text, sizeof(text)};
  static constexpr Accuracy accuracy{6.5, 6};
  static constexpr Domain domain = Domain::positive;
  static constexpr PolygammaSeries<n> series{};

  /// The series above 32; of order 1.
  template <class N>
    requires(n == 1)
  static N reference(N x) {
    N const pi = N(3.14159265358979323846264338327950288L);
    if (x < 0) {
      N const rest = x - std::nearbyint(x), root = pi / std::sin(pi * rest);
      return root * root - reference(1 - x);
    }
    N total = 0;
    for (; x < 32; ++x) total += 1 / (x * x);
    N const z = 1 / (x * x);
    N const rest =
        N(1) / 6 -
        z * (N(1) / 30 - z * (N(1) / 42 - z * (N(1) / 30 - z * (N(5) / 66 - z * N(691) / 2730))));
    return total + 1 / x + z / 2 + z * rest / x;
  }
  /// For x not below 0: the terms below 10, and the asymptotic series.
  template <class V>
  static constexpr V direct_value(V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1));
    V total = zero;
    for (int i = 0; i < 10; ++i) {
      auto const is_below = x < V(T(10));
      total = total + select(is_below, power_of<n + 1>(one / x), zero);
      x = select(is_below, x + one, x);
    }
    V const inverse = one / x, square = inverse * inverse;
    V rest = zero;
    for (int k = series.count - 1; k >= 0; --k) rest = fma(rest, square, V(T(series.terms[k])));
    V const half = V(T(series.factorial / 2));
    V const large = fma(inverse, half, fma(square, rest, V(T(series.factorial / n))));
    V const y = fma(V(T(series.factorial)), total, large * power_of<n>(inverse));
    return n % 2 == 1 ? y : -y;
  }
  /// By the nth derivative of pi / tan(pi x), for x below 0.
  template <class V>
  static constexpr V reflection(V x) {
    using T = scalar_of<V>;
    V const pi = V(T(3.14159265358979323846)), above = direct_value(V(T(1)) - x);
    V const cotangent = cot_pi(distance_to_integer(x));
    V y = V(T(series.cotangent[n + 1]));
    for (int k = n; k >= 0; --k) y = y * cotangent + V(T(series.cotangent[k]));
    return (n % 2 == 1 ? -above : above) - power_of<n + 1>(pi) * y;
  }
  template <class X>
  static X symbolic(X x) {
    return f(x);
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    return rarely(
        x < V(scalar_of<V>(0)), x, [](auto lane) { return reflection(lane); }, direct_value(x));
  }
  template <FloatingValue V>
    requires(n < 4)
  static constexpr auto d(V x, V) {
    return partials(applied<Polygamma<n + 1>>(x));
  }
};

template <FloatingValue V>
constexpr auto Digamma::d(V x, V) {
  return partials(applied<Polygamma<1>>(x));
}

using SpecialUnary = List<Erfinv, Lgamma, Digamma, Polygamma<1>>;

}  // namespace tenon::op

namespace tenon {

/// The inverse of `erf` of floating numbers: infinite at -1 and 1, NaN beyond. Within 4 ulp in
/// `float`, 4 in `double`. PyTorch: `erfinv`.
template <class X, WellFormed R = MapOf<op::Erfinv, X>>
constexpr auto erfinv(X&& x) -> R {
  return map<op::Erfinv>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Erfinv, X>>
auto erfinv(X&& x) -> R;

/// log |Gamma(x)| of floating numbers: infinite at 0 and negative integers. Gradient: `digamma`.
/// Within 6.5 ulp in `float`, 5 in `double`. (Below 0 of the larger of the terms log(pi / |x sin(pi
/// x)|) and lgamma(-x).) PyTorch: `lgamma`. SciPy: `gammaln`.
template <class X, WellFormed R = MapOf<op::Lgamma, X>>
constexpr auto lgamma(X&& x) -> R {
  return map<op::Lgamma>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Lgamma, X>>
auto lgamma(X&& x) -> R;

/// The derivative of `lgamma`, of floating numbers: -inf at 0, NaN at negative integers. Gradient:
/// `polygamma<1>`. Within 4 ulp in `float`, 4 in `double`. (Below 0 of the largest of 1 and the
/// terms digamma(1 - x) and pi / tan(pi x).) PyTorch, SciPy: `digamma`.
template <class X, WellFormed R = MapOf<op::Digamma, X>>
constexpr auto digamma(X&& x) -> R {
  return map<op::Digamma>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Digamma, X>>
auto digamma(X&& x) -> R;

/// The derivative of `digamma` of an order from 1 (trigamma) to 4, of floating numbers. Gradient:
/// `polygamma<n + 1>`; order 4 has none. Trigamma is within 6.5 ulp in `float`, 6 in `double`.
/// PyTorch, SciPy: `polygamma`.
template <int n, class X, WellFormed R = MapOf<op::Polygamma<n>, X>>
constexpr auto polygamma(X&& x) -> R {
  return map<op::Polygamma<n>>(std::forward<X>(x));
}
template <int n, class X, IllFormed R = MapOf<op::Polygamma<n>, X>>
auto polygamma(X&& x) -> R;

}  // namespace tenon
