#pragma once

#include <tenon/expr/map/functions.hpp>
#include <tenon/numeric/distributions.hpp>

/// Bernoulli and geometric distributions of log-odds: their densities are finite where a
/// probability rounds to 0 or 1.
namespace tenon::distributions {

/// The log-odds of probabilities as parameters, log(p / (1 - p)): `Bernoulli{Logits{x}}`,
/// `Geometric{Logits{x}}`. PyTorch: `logits=x`.
template <class L>
struct Logits {
  L value;

  /// log p and log(1 - p).
  constexpr auto log_probs() const { return -softplus(-value); }
  constexpr auto log_complements() const { return -softplus(value); }
  constexpr auto probs() const { return sigmoid(value); }
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
  constexpr auto entropy() const { return Bernoulli<Logits<L>>{logits}.entropy() / logits.probs(); }
};

template <class L, class M>
constexpr auto kl_divergence(Bernoulli<Logits<L>> const& p, Bernoulli<Logits<M>> const& q) {
  return p.logits.probs() * (p.logits.log_probs() - q.logits.log_probs()) +
         p.logits.complements() * (p.logits.log_complements() - q.logits.log_complements());
}
template <class L, class M>
constexpr auto kl_divergence(Geometric<Logits<L>> const& p, Geometric<Logits<M>> const& q) {
  return kl_divergence(Bernoulli<Logits<L>>{p.logits}, Bernoulli<Logits<M>>{q.logits}) /
         p.logits.probs();
}

}  // namespace tenon::distributions
