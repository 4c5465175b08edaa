#pragma once

#include <tenon/numeric/distributions/gamma.hpp>

namespace tenon::distributions {

/// The number of events of the rate `rate`, at least 0. The probability is 0 at a negative integer;
/// values between integers are not refused. PyTorch: `Poisson`.
template <class R>
struct Poisson {
  R rate;

  auto sample(Key const& key) const {
    return internal::random::draw_like<internal::random::PoissonDraw>(key, rate);
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    auto const outside = x <= -1;
    auto const number = own::inside(outside, x, 0);
    return own::without(outside, xlogy(number, rate) - rate - own::lgamma_of(number + 1));
  }
  constexpr auto mean() const { return rate; }
  constexpr auto variance() const { return rate; }
};
template <class R>
Poisson(R) -> Poisson<R>;

/// The successes of `total_count` trials of the probability `probs`. The probability is 0 at
/// integers outside 0 to `total_count`. PyTorch: `Binomial`.
template <class N, class P>
struct Binomial {
  N total_count;
  P probs;

  auto sample(Key const& key) const {
    return internal::random::draw_like<internal::random::BinomialDraw>(
        key, own::broadcast(total_count, probs), own::broadcast(probs, total_count));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    auto const outside = x <= -1 || x >= total_count + 1;
    auto const successes = own::inside(outside, x, 0);
    auto const failures = total_count - successes;
    auto const ways = own::lgamma_of(total_count + 1) - own::lgamma_of(successes + 1) -
                      own::lgamma_of(failures + 1);
    auto const density = ways + xlogy(successes, probs) + own::xlog1my(failures, probs);
    return own::without(outside, density);
  }
  constexpr auto mean() const { return total_count * probs; }
  constexpr auto variance() const { return total_count * probs * (1 - probs); }
};
template <class N, class P>
Binomial(N, P) -> Binomial<N, P>;

template <class R, class Q>
constexpr auto kl_divergence(Poisson<R> const& p, Poisson<Q> const& q) {
  return xlogy(p.rate, p.rate) - xlogy(p.rate, q.rate) - p.rate + q.rate;
}

/// Of binomial distributions with the same number of trials.
template <class N, class P, class M, class Q>
constexpr auto kl_divergence(Binomial<N, P> const& p, Binomial<M, Q> const& q) {
  return p.total_count * kl_divergence(Bernoulli{p.probs}, Bernoulli{q.probs});
}

}  // namespace tenon::distributions
