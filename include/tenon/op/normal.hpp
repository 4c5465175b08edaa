#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/exponential.hpp>

/// The error function and functions of the normal distribution.
namespace tenon::op {

/// |x| limited to the range of the tails: beyond, exp(-x^2 / 2) is zero.
template <class V>
TENON_INLINE constexpr V within_tails(V x) {
  using T = scalar_of<V>;
  return clamp(abs(x), V(T(0)), V(Coefficients<T>::tail_end));
}

/// x limited to the range of the tails. (Not by its absolute value, which has no derivative at
/// zero.)
template <class V>
TENON_INLINE constexpr V between_tails(V x) {
  V const end = V(Coefficients<scalar_of<V>>::tail_end);
  return clamp(x, -end, end);
}

/// exp(-x^2 / 2).
struct Gaussian {
  static constexpr std::string_view name = "gaussian";
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    return gaussian(within_tails(x)).value();
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y) {
    return partials(-between_tails(x) * y);
  }
};

/// Phi(x), the cumulative distribution function of the normal distribution.
struct NormalBelow {
  static constexpr std::string_view name = "normal_below";
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = within_tails(x), tail = gaussian(a).value() * scaled_tail(a).value();
    return select(x < V(T(0)), tail, V(T(1)) - tail);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Gaussian>(x) *
                    V(scalar_of<V>(0.39894228040143267794)));  // 1/sqrt(2 pi)
  }
};

/// The error function.
struct Erf {
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view onnx = "Erf";
  static constexpr Accuracy accuracy{7, 2.5};
  static auto reference(auto x) { return std::erf(x); }
  /// 1 - erf(|x|) for large |x|: only as precise as 1 minus it needs in float.
  template <FloatingValue V>
  TENON_INLINE static constexpr V complement(V x) {
    using T = scalar_of<V>;
    using C = Coefficients<T>;
    if constexpr (sizeof(T) == 4) {
      V const a = clamp(abs(x), V(T(0)), V(C::erf_end));
      return Exp::f(-polynomial(a, C::erf_far));
    } else {
      V const a = within_tails(x * V(T(1.41421356237309504880)));
      return V(T(2)) * gaussian(a).value() * scaled_tail(a).value();
    }
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    if constexpr (looks_up<V>) {
      return odd_by_pieces<ErfPieces>(x);
    } else {
      using T = scalar_of<V>;
      V const small = fma(x, polynomial(x * x, Coefficients<T>::erf), x);
      return select(abs(x) < V(T(0.88)), small, copysign(V(T(1)) - complement(x), x));
    }
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const y = applied<Gaussian>(x * V(T(1.41421356237309504880)));
    return partials(V(T(1.12837916709551257390)) * y);  // 2/sqrt(pi)
  }
};

using Normals = List<Erf>;

}  // namespace tenon::op

namespace tenon {

/// The error function of floating numbers. Within 7 ulp in `float`, 2.5 in `double`. PyTorch:
/// `erf`.
template <class X, WellFormed R = MapOf<op::Erf, X>>
constexpr auto erf(X&& x) -> R {
  return map<op::Erf>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Erf, X>>
auto erf(X&& x) -> R;

}  // namespace tenon
