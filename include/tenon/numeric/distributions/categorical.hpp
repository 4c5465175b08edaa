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

/// The classes of the last axis with the probabilities softmax(logits); a logit of -inf is a class
/// of probability 0. `sample` and `log_prob` have positions, `int32`, of the other axes. JAX,
/// PyTorch: `Categorical`.
template <class L>
struct Categorical {
  L logits;

  auto sample(Key const& key) const { return categorical<-1>(key, logits); }
  template <class X>
  constexpr auto log_prob(X const& x) const {
    return pick<-1>(log_softmax<-1>(logits), x);
  }
  constexpr auto probs() const { return softmax<-1>(logits); }
  auto entropy() const { return own::expectation(eval(probs()), eval(-log_softmax<-1>(logits))); }
};
template <class L>
Categorical(L) -> Categorical<L>;

/// Of categorical distributions of the same categories. 0 log 0 is 0; infinite where q lacks a
/// category of p.
template <class L, class M>
auto kl_divergence(Categorical<L> const& p, Categorical<M> const& q) {
  auto const difference = log_softmax<-1>(p.logits) - log_softmax<-1>(q.logits);
  return own::expectation(eval(p.probs()), eval(difference));
}

}  // namespace tenon::distributions
