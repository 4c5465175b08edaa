#pragma once

#include <tenon/expr/map/functions.hpp>
#include <tenon/numeric/distributions.hpp>

/// Bernoulli and geometric distributions of log-odds: their densities are finite where a
/// probability rounds to 0 or 1.
namespace tenon::distributions {

/// The log-odds of probabilities as parameters, log(p / (1 - p)), finite tensors or expressions:
/// `Bernoulli{Logits{x}}`, `Geometric{Logits{x}}`. PyTorch: `logits=x`.
template <class L>
struct Logits {
  L value;

  /// log p.
  constexpr auto log_probs() const { return -softplus(-value); }
  /// log(1 - p).
  constexpr auto log_complements() const { return -softplus(value); }
  /// p.
  constexpr auto probs() const { return sigmoid(value); }
  /// 1 - p.
  constexpr auto complements() const { return sigmoid(-value); }
};
template <class L>
Logits(L) -> Logits<L>;

template <class L>
struct Bernoulli<Logits<L>> {
  Logits<L> logits;

  auto sample(Key const& key) const { return Bernoulli<decltype(mean())>{mean()}.sample(key); }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return x * logits.log_probs() + (1 - x) * logits.log_complements();
  }
  constexpr auto mean() const { return logits.probs(); }
  constexpr auto variance() const { return logits.probs() * logits.complements(); }
  constexpr auto entropy() const {
    return -logits.probs() * logits.log_probs() - logits.complements() * logits.log_complements();
  }
};

template <class L>
struct Geometric<Logits<L>> {
  Logits<L> logits;

  auto sample(Key const& key) const {
    auto const unit = own::unit_like(key, logits.value);
    return eval(floor(log(unit) / logits.log_complements()));
  }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return x * logits.log_complements() + logits.log_probs();
  }
  constexpr auto mean() const { return exp(-logits.value); }
  constexpr auto variance() const { return mean() / logits.probs(); }
  /// -log p - (1 - p) / p log(1 - p), of which the second term is 1 for small p.
  constexpr auto entropy() const {
    auto const above = maximum(logits.value, -30);
    return exp(-above) * softplus(above) - logits.log_probs();
  }
};

template <class L, class M>
constexpr auto kl_divergence(Bernoulli<Logits<L>> const& p, Bernoulli<Logits<M>> const& q) {
  return p.logits.probs() * (p.logits.log_probs() - q.logits.log_probs()) +
         p.logits.complements() * (p.logits.log_complements() - q.logits.log_complements());
}
template <class L, class M>
constexpr auto kl_divergence(Geometric<Logits<L>> const& p, Geometric<Logits<M>> const& q) {
  return p.logits.log_probs() - q.logits.log_probs() +
         exp(-p.logits.value) * (p.logits.log_complements() - q.logits.log_complements());
}
/// One of log-odds, the other of probabilities: both of probabilities.
template <class L, class Q>
constexpr auto kl_divergence(Bernoulli<Logits<L>> const& p, Bernoulli<Q> const& q) {
  return kl_divergence(Bernoulli{p.logits.probs()}, q);
}
template <class P, class M>
constexpr auto kl_divergence(Bernoulli<P> const& p, Bernoulli<Logits<M>> const& q) {
  return kl_divergence(p, Bernoulli{q.logits.probs()});
}
template <class L, class Q>
constexpr auto kl_divergence(Geometric<Logits<L>> const& p, Geometric<Q> const& q) {
  return kl_divergence(Geometric{p.logits.probs()}, q);
}
template <class P, class M>
constexpr auto kl_divergence(Geometric<P> const& p, Geometric<Logits<M>> const& q) {
  return kl_divergence(p, Geometric{q.logits.probs()});
}

}  // namespace tenon::distributions
