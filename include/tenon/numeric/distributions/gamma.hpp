#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/numeric/distributions.hpp>
#include <tenon/numeric/draws/draws.hpp>
#include <tenon/op/special.hpp>

namespace tenon::internal::distributions {

/// Functions of an expression or a number.
template <class X>
constexpr auto lgamma_of(X const& x) {
  if constexpr (std::is_arithmetic_v<X>) return op::Lgamma::f(static_cast<double>(x));
  else return lgamma(x);
}
template <class X>
constexpr auto digamma_of(X const& x) {
  if constexpr (std::is_arithmetic_v<X>) return op::Digamma::f(static_cast<double>(x));
  else return digamma(x);
}

/// The logarithm of the beta function.
template <class A, class B>
constexpr auto log_beta(A const& a, B const& b) {
  return lgamma_of(a) + lgamma_of(b) - lgamma_of(a + b);
}

/// -log of the density of Student's t distribution at 0.
template <class D>
constexpr auto log_norm_of_t(D const& df) {
  auto const half_log = 0.5 * logarithm_of(df) + 0.5 * std::log(std::numbers::pi);
  return half_log + lgamma_of(0.5 * df) - lgamma_of(0.5 * (df + 1));
}

/// The dtype of an expression, and its NaN.
template <class X>
using ValueOf = typename TensorOf<X>::value_type;
template <class X>
inline constexpr auto nan_of = std::numeric_limits<ValueOf<X>>::quiet_NaN();

}  // namespace tenon::internal::distributions

namespace tenon::distributions {

/// The gamma distribution of the shape `concentration` and the rate `rate`, both above 0.
/// log_prob(x) = a log b + (a - 1) log x - b x - lgamma(a)
/// The gradient of a draw reaches `rate`, not `concentration`. PyTorch: `Gamma`.
template <class A, class B>
struct Gamma {
  A concentration;
  B rate;

  auto sample(Key const& key) const {
    auto const shape = own::broadcast(concentration, rate);
    return eval(internal::random::draw_like<internal::random::GammaDraw>(key, shape) / rate);
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    auto const outside = x < 0;
    auto const y = own::inside(outside, x, 1);
    auto const density = xlogy(concentration - 1, y) - rate * y +
                         concentration * own::logarithm_of(rate) - own::lgamma_of(concentration);
    return own::without(outside, density);
  }
  constexpr auto mean() const { return concentration / rate; }
  constexpr auto variance() const { return concentration / own::square_of(rate); }
  constexpr auto entropy() const {
    return concentration - own::logarithm_of(rate) + own::lgamma_of(concentration) +
           (1 - concentration) * own::digamma_of(concentration);
  }
};
template <class A, class B>
Gamma(A, B) -> Gamma<A, B>;

/// The beta distribution of the shapes `concentration1` and `concentration0`, both above 0.
/// log_prob(x) = (a - 1) log x + (b - 1) log(1 - x) - log B(a, b)
/// PyTorch: `Beta`.
template <class A, class B>
struct Beta {
  A concentration1;
  B concentration0;

  auto sample(Key const& key) const {
    return internal::random::draw_like<internal::random::BetaDraw>(
        key, own::broadcast(concentration1, concentration0),
        own::broadcast(concentration0, concentration1));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    auto const outside = x < 0 || x > 1;
    auto const y = own::inside(outside, x, 0.5);
    auto const density = xlogy(concentration1 - 1, y) + own::xlog1my(concentration0 - 1, y);
    return own::without(outside, density - own::log_beta(concentration1, concentration0));
  }
  constexpr auto mean() const { return concentration1 / (concentration1 + concentration0); }
  constexpr auto variance() const {
    auto const total = concentration1 + concentration0;
    return concentration1 * concentration0 / (square(total) * (total + 1));
  }
  constexpr auto entropy() const {
    auto const of_one = (concentration1 - 1) * own::digamma_of(concentration1);
    auto const of_zero = (concentration0 - 1) * own::digamma_of(concentration0);
    auto const total = concentration1 + concentration0;
    return own::log_beta(concentration1, concentration0) - of_one - of_zero +
           (total - 2) * digamma(total);
  }
};
template <class A, class B>
Beta(A, B) -> Beta<A, B>;

/// Student's t distribution of `df` degrees of freedom around `loc`, of the scale `scale`. The mean
/// is NaN for df <= 1; the variance is infinite for df <= 2 and NaN for df <= 1. PyTorch:
/// `StudentT`.
template <class D, class L, class S>
struct StudentT {
  D df;
  L loc;
  S scale;

  auto sample(Key const& key) const {
    using Draw = internal::random::StudentTDraw;
    return eval(loc + scale * internal::random::draw_like<Draw>(key, all_df()));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    auto const tail = 0.5 * (df + 1) * log1p(own::square_of((x - loc) / scale) / df);
    return -tail - own::logarithm_of(scale) - own::log_norm_of_t(df);
  }
  constexpr auto mean() const { return where(all_df() > 1, loc, own::nan_of<decltype(all_df())>); }
  constexpr auto variance() const {
    auto const all = all_df();
    constexpr auto infinite = std::numeric_limits<own::ValueOf<decltype(all)>>::infinity();
    auto const rest = where(all > 1, own::broadcast(infinite, all), own::nan_of<decltype(all)>);
    return where(all > 2, own::square_of(scale) * (1 + 2 / (all - 2)), rest);
  }
  constexpr auto entropy() const {
    auto const half = 0.5 * (df + 1);
    auto const slope = own::digamma_of(half) - own::digamma_of(0.5 * df);
    return own::broadcast(own::logarithm_of(scale), loc) + half * slope + own::log_norm_of_t(df);
  }
  /// The degrees of freedom with the axes of all parameters.
  constexpr auto all_df() const { return own::broadcast(df, own::broadcast(loc, scale)); }
};
template <class D, class L, class S>
StudentT(D, L, S) -> StudentT<D, L, S>;

/// Of two gamma, beta or Gumbel distributions.
template <class A, class B, class C, class D>
constexpr auto kl_divergence(Gamma<A, B> const& p, Gamma<C, D> const& q) {
  auto const a = p.concentration;
  auto const b = q.concentration;
  auto const shapes = (a - b) * own::digamma_of(a) - own::lgamma_of(a) + own::lgamma_of(b);
  return shapes + b * log(p.rate / q.rate) + a * (q.rate / p.rate - 1);
}
template <class A, class B, class C, class D>
constexpr auto kl_divergence(Beta<A, B> const& p, Beta<C, D> const& q) {
  auto const one = p.concentration1 - q.concentration1;
  auto const zero = p.concentration0 - q.concentration0;
  auto const shapes =
      one * own::digamma_of(p.concentration1) + zero * own::digamma_of(p.concentration0);
  auto const total = (one + zero) * own::digamma_of(p.concentration1 + p.concentration0);
  return own::log_beta(q.concentration1, q.concentration0) -
         own::log_beta(p.concentration1, p.concentration0) + shapes - total;
}
template <class L, class S, class M, class U>
constexpr auto kl_divergence(Gumbel<L, S> const& p, Gumbel<M, U> const& q) {
  auto const ratio = p.scale / q.scale;
  auto const distance = (p.loc - q.loc) / q.scale;
  auto const power = exp(own::lgamma_of(ratio + 1) - distance);
  return std::numbers::egamma * (ratio - 1) - own::logarithm_of(ratio) + distance + power - 1;
}

}  // namespace tenon::distributions
