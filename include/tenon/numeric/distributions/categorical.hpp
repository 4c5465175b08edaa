#pragma once

#include <limits>

#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/numeric/distributions.hpp>
#include <tenon/random/choice.hpp>

namespace tenon::internal::distributions {

/// The mean of values under probabilities along the last axis; a value of probability 0 contributes
/// 0, an infinite one included.
template <class P, class X>
auto expectation(P const& probabilities, X const& values) {
  return eval(sum<-1>(probabilities * where(probabilities > 0, values, 0)));
}

}  // namespace tenon::internal::distributions

namespace tenon::distributions {

/// Probabilities of classes as parameters: `Categorical{Probs{p}}`. PyTorch: `probs=p`.
template <class P>
struct Probs {
  P value;
};
template <class P>
Probs(P) -> Probs<P>;

/// The classes of the last axis with the probabilities softmax(logits); a logit of -inf is a class
/// of probability 0. `Categorical{Probs{p}}` has the probabilities p, divided by their sum.
/// `sample` and `log_prob` have positions, `int32`, of the other axes. JAX, PyTorch: `Categorical`.
template <class L>
struct Categorical {
  L logits;

  auto sample(Key const& key) const { return categorical<-1>(key, logits); }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return pick<-1>(log_probs(), x);
  }
  constexpr auto probs() const { return softmax<-1>(logits); }
  constexpr auto log_probs() const { return log_softmax<-1>(logits); }
  auto entropy() const { return own::expectation(eval(probs()), eval(-log_probs())); }
};
template <class L>
Categorical(L) -> Categorical<L>;

template <class P>
struct Categorical<Probs<P>> {
  Probs<P> parameters;

  auto sample(Key const& key) const { return categorical<-1>(key, log_probs()); }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return pick<-1>(log_probs(), x);
  }
  constexpr auto probs() const { return parameters.value / sum<-1>(parameters.value, keep); }
  constexpr auto log_probs() const {
    auto const p = probs();
    return own::without(p == 0, log(own::inside(p == 0, p, 1)));
  }
  auto entropy() const { return own::expectation(eval(probs()), eval(-log_probs())); }
};

/// Of categorical distributions of the same categories. 0 log 0 is 0; infinite where q lacks a
/// category of p.
template <class L, class M>
auto kl_divergence(Categorical<L> const& p, Categorical<M> const& q) {
  return own::expectation(eval(p.probs()), eval(p.log_probs() - q.log_probs()));
}

}  // namespace tenon::distributions
