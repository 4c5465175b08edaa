#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/op/more.hpp>
#include <tenon/random/normal.hpp>

/// Draws for the elements of an expression, from a key.
namespace tenon::internal::distributions {

/// The type of the value of `X`, with the sizes of `x`.
template <class Row, class X, class Draw>
auto draws_like(X const& x, Draw const& draw) {
  using R = TensorOf<X>;
  Sizes const sizes = x.sizes();
  return in_shape<R>(draw(row_sizes<R>(sizes)), sizes);
}

/// Uniform numbers in (0, 1), one for each element of `x`.
template <class X>
auto unit_like(Key const& key, X const& x) {
  using T = typename X::value_type;
  using Row = DrawnRow<TensorOf<X>>;
  constexpr T least = std::numeric_limits<T>::epsilon() / 4;
  auto const unit = draws_like<Row>(x, [&](Sizes const& s) { return unit_row<Row>(key, 0, s); });
  return eval(maximum(unit, least));
}

/// Numbers of the standard normal distribution, one for each element of `x`.
template <class X>
auto normal_like(Key const& key, X const& x) {
  using Row = DrawnRow<TensorOf<X>>;
  return draws_like<Row>(x, [&](Sizes const& s) { return normal_row<Row>(key, s); });
}

/// Functions of an expression or a number.
template <class X>
constexpr auto square_of(X const& x) {
  if constexpr (std::is_arithmetic_v<X>) return x * x;
  else return square(x);
}
template <class X>
constexpr auto logarithm_of(X const& x) {
  if constexpr (std::is_arithmetic_v<X>) return std::log(x);
  else return log(x);
}

template <class X>
constexpr auto expm1_of(X const& x) {
  if constexpr (std::is_arithmetic_v<X>) return std::expm1(x);
  else return expm1(x);
}

/// The first of two values. The broadcast of a parameter to the axes of another one: a product with
/// zero would be NaN for an infinite one.
struct First {
  static constexpr std::string_view name = "broadcast";
  template <class V>
  static constexpr V f(V x, V) {
    return x;
  }
  template <class V>
  static constexpr auto d(V, V, V) {
    return op::partials(op::One{}, op::Zero{});
  }
};

/// `x` with the axes of both.
template <class X, class Y>
constexpr auto broadcast(X const& x, Y const& y) {
  if constexpr (std::is_arithmetic_v<X> && std::is_arithmetic_v<Y>) return x;
  else return map<First>(x, y);
}

/// The logarithm of a density, -inf where the mask is true.
template <class M, class D>
constexpr auto without(M const& outside, D const& density) {
  using T = typename TensorOf<D>::value_type;
  return where(outside, -std::numeric_limits<T>::infinity(), density);
}

/// x, or a number where the mask is true: so that a density without a value there has no gradient
/// that is NaN.
template <class M, class X>
constexpr auto inside(M const& outside, X const& x, double substitute) {
  if constexpr (!std::is_arithmetic_v<X>) return where(outside, substitute, x);
  else if constexpr (std::is_arithmetic_v<M>) return outside ? static_cast<X>(substitute) : x;
  else return x;
}

/// log(1 - y) x; 0 where x is 0.
template <class X, class Y>
constexpr auto xlog1my(X const& x, Y const& y) {
  return xlogy(x, 1 - y);
}

}  // namespace tenon::internal::distributions

/// Probability distributions whose parameters are tensors, expressions or numbers that broadcast;
/// at least one is not a number. They have
///   sample(key)     one draw for each element of the parameters, in their dtype (`Categorical`:
///                   `int32`); its gradient reaches those in which the draw is continuous;
///   log_prob(x)     the logarithm of the density, or of the probability, at x;
///   mean(), variance(), entropy()    where they have a closed form; entropies in nats.
/// Draws by rejection with parameters out of range are NaN. PyTorch: `torch.distributions`.
namespace tenon::distributions {

namespace own = internal::distributions;

/// The normal distribution of mean `loc` and standard deviation `scale`, above 0.
template <class L, class S>
struct Normal {
  L loc;
  S scale;

  auto sample(Key const& key) const {
    return eval(loc + scale * own::normal_like(key, loc + scale));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return -0.5 * own::square_of((x - loc) / scale) - own::logarithm_of(scale) -
           0.5 * std::log(2 * std::numbers::pi);
  }
  constexpr auto mean() const { return own::broadcast(loc, scale); }
  constexpr auto variance() const { return own::broadcast(own::square_of(scale), loc); }
  constexpr auto entropy() const {
    return own::broadcast(own::logarithm_of(scale), loc) +
           (0.5 + 0.5 * std::log(2 * std::numbers::pi));
  }
};
template <class L, class S>
Normal(L, S) -> Normal<L, S>;

/// The distribution of e^x, of a normal x with mean `loc` and standard deviation `scale`.
template <class L, class S>
struct LogNormal {
  L loc;
  S scale;

  auto sample(Key const& key) const { return eval(exp(Normal{loc, scale}.sample(key))); }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    auto const y = own::logarithm_of(own::inside(x <= 0, x, 1));
    return own::without(x <= 0, Normal{loc, scale}.log_prob(y) - y);
  }
  constexpr auto mean() const { return exp(loc + 0.5 * own::square_of(scale)); }
  constexpr auto variance() const {
    return own::expm1_of(own::square_of(scale)) * exp(2 * loc + own::square_of(scale));
  }
  constexpr auto entropy() const { return Normal{loc, scale}.entropy() + loc; }
};
template <class L, class S>
LogNormal(L, S) -> LogNormal<L, S>;

/// Uniform from `low` to `high`.
template <class L, class H>
struct Uniform {
  L low;
  H high;

  auto sample(Key const& key) const {
    return eval(low + (high - low) * own::unit_like(key, low + high));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    // x - x is NaN where x is.
    return own::without(x < low || x >= high, (x - x) - own::logarithm_of(high - low));
  }
  constexpr auto mean() const { return 0.5 * (low + high); }
  constexpr auto variance() const { return own::square_of(high - low) * (1.0 / 12); }
  constexpr auto entropy() const { return log(high - low); }
};
template <class L, class H>
Uniform(L, H) -> Uniform<L, H>;

/// Waiting times of events with the rate `rate`, above 0.
template <class R>
struct Exponential {
  R rate;

  auto sample(Key const& key) const { return eval(-log(own::unit_like(key, rate)) / rate); }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return own::without(x < 0, own::logarithm_of(rate) - rate * x);
  }
  constexpr auto mean() const { return 1 / rate; }
  constexpr auto variance() const { return 1 / own::square_of(rate); }
  constexpr auto entropy() const { return 1 - own::logarithm_of(rate); }
};
template <class R>
Exponential(R) -> Exponential<R>;

/// The two-sided exponential distribution around `loc`.
template <class L, class S>
struct Laplace {
  L loc;
  S scale;

  auto sample(Key const& key) const {
    auto const unit = own::unit_like(key, loc + scale);
    auto const side = where(unit < 0.5, log(2 * unit), -log(2 * (1 - unit)));
    return eval(loc + scale * side);
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return -abs(x - loc) / scale - own::logarithm_of(2 * scale);
  }
  constexpr auto mean() const { return own::broadcast(loc, scale); }
  constexpr auto variance() const { return own::broadcast(2 * own::square_of(scale), loc); }
  constexpr auto entropy() const { return own::broadcast(own::logarithm_of(2 * scale), loc) + 1; }
};
template <class L, class S>
Laplace(L, S) -> Laplace<L, S>;

/// The distribution of Cauchy: neither mean nor variance exist.
template <class L, class S>
struct Cauchy {
  L loc;
  S scale;

  auto sample(Key const& key) const {
    auto const unit = own::unit_like(key, loc + scale);
    return eval(loc + scale * tan(std::numbers::pi * (unit - 0.5)));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return -log1p(own::square_of((x - loc) / scale)) - own::logarithm_of(scale) -
           std::log(std::numbers::pi);
  }
  constexpr auto entropy() const {
    return own::broadcast(own::logarithm_of(scale), loc) + std::log(4 * std::numbers::pi);
  }
};
template <class L, class S>
Cauchy(L, S) -> Cauchy<L, S>;

/// The extreme value distribution of Gumbel.
template <class L, class S>
struct Gumbel {
  L loc;
  S scale;

  auto sample(Key const& key) const {
    auto const unit = own::unit_like(key, loc + scale);
    return eval(loc - scale * log(-log(unit)));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    auto const y = (loc - x) / scale;
    return y - exp(y) - own::logarithm_of(scale);
  }
  constexpr auto mean() const { return loc + std::numbers::egamma * scale; }
  constexpr auto variance() const {
    return own::broadcast(own::square_of(scale) * (std::numbers::pi * std::numbers::pi / 6), loc);
  }
  constexpr auto entropy() const {
    return own::broadcast(own::logarithm_of(scale), loc) + (1 + std::numbers::egamma);
  }
};
template <class L, class S>
Gumbel(L, S) -> Gumbel<L, S>;

/// 1 with the probability `probs`, else 0. `Bernoulli{Logits{x}}`: of the log-odds x.
template <class P>
struct Bernoulli {
  P probs;

  auto sample(Key const& key) const {
    using T = typename internal::TensorOf<P>::value_type;
    return eval(to<T>(own::unit_like(key, probs) < probs));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return xlogy(x, probs) + own::xlog1my(1 - x, probs);
  }
  constexpr auto mean() const { return probs + 0; }
  constexpr auto variance() const { return probs * (1 - probs); }
  constexpr auto entropy() const { return -xlogy(probs, probs) - own::xlog1my(1 - probs, probs); }
};
template <class P>
Bernoulli(P) -> Bernoulli<P>;

/// The number of failures before the first success, of probability `probs`. `Geometric{Logits{x}}`:
/// of the log-odds x.
template <class P>
struct Geometric {
  P probs;

  auto sample(Key const& key) const {
    auto const unit = own::unit_like(key, probs);
    return eval(floor(log(unit) / log1p(-probs)));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return own::xlog1my(x, probs) + log(probs);
  }
  constexpr auto mean() const { return (1 - probs) / probs; }
  constexpr auto variance() const { return (1 - probs) / own::square_of(probs); }
  constexpr auto entropy() const { return Bernoulli{probs}.entropy() / probs; }
};
template <class P>
Geometric(P) -> Geometric<P>;

/// The Kullback-Leibler divergence of q from p, E_p[log p - log q]. PyTorch: `kl_divergence`.
template <class L, class S, class M, class U>
constexpr auto kl_divergence(Normal<L, S> const& p, Normal<M, U> const& q) {
  auto const ratio = own::square_of(p.scale / q.scale);
  return 0.5 * (ratio + own::square_of((p.loc - q.loc) / q.scale) - 1 - log(ratio));
}
template <class L, class S, class M, class U>
constexpr auto kl_divergence(LogNormal<L, S> const& p, LogNormal<M, U> const& q) {
  return kl_divergence(Normal{p.loc, p.scale}, Normal{q.loc, q.scale});
}
template <class L, class H, class M, class U>
constexpr auto kl_divergence(Uniform<L, H> const& p, Uniform<M, U> const& q) {
  auto const ratio = (q.high - q.low) / (p.high - p.low);
  return -own::without(q.low > p.low || q.high < p.high, -log(ratio));
}
template <class L, class S, class M, class U>
constexpr auto kl_divergence(Cauchy<L, S> const& p, Cauchy<M, U> const& q) {
  auto const squares = own::square_of(p.scale + q.scale) + own::square_of(p.loc - q.loc);
  return log(squares / (4 * p.scale * q.scale));
}
template <class R, class Q>
constexpr auto kl_divergence(Exponential<R> const& p, Exponential<Q> const& q) {
  auto const ratio = q.rate / p.rate;
  return ratio - 1 - log(ratio);
}
template <class L, class S, class M, class U>
constexpr auto kl_divergence(Laplace<L, S> const& p, Laplace<M, U> const& q) {
  auto const distance = abs(p.loc - q.loc);
  auto const ratio = distance / p.scale;
  return (p.scale * exp(-ratio) + distance) / q.scale - log(p.scale / q.scale) - 1;
}
template <class P, class Q>
constexpr auto kl_divergence(Bernoulli<P> const& p, Bernoulli<Q> const& q) {
  auto const of_one = xlogy(p.probs, p.probs) - xlogy(p.probs, q.probs);
  auto const rest = 1 - p.probs;
  return of_one + xlogy(rest, rest) - own::xlog1my(rest, q.probs);
}
template <class P, class Q>
constexpr auto kl_divergence(Geometric<P> const& p, Geometric<Q> const& q) {
  return kl_divergence(Bernoulli{p.probs}, Bernoulli{q.probs}) / p.probs;
}

}  // namespace tenon::distributions
