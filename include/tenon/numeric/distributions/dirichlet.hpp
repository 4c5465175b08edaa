#pragma once

#include <tenon/numeric/distributions/gamma.hpp>
#include <tenon/numeric/draws/rows.hpp>

namespace tenon::internal::distributions {

/// -log of the factor of Dirichlet's density.
template <class A>
auto log_beta_of_line(A const& a) {
  return eval(sum<-1>(lgamma(a)) - lgamma(sum<-1>(a)));
}

}  // namespace tenon::internal::distributions

namespace tenon::distributions {

/// Points of the simplex along the last axis, of the concentrations `concentration`, all above 0.
/// log_prob(x) = sum (a - 1) log x - sum lgamma(a) + lgamma(sum a)
/// Draws are constant to a gradient. PyTorch: `Dirichlet`.
template <class A>
struct Dirichlet {
  A concentration;

  auto sample(Key const& key) const { return random::dirichlet<-1>(key, concentration); }
  template <class X>
  auto log_prob(X const& x) const {
    return eval(sum<-1>(xlogy(concentration - 1, x)) - own::log_beta_of_line(concentration));
  }
  auto mean() const { return eval(concentration / sum<-1>(concentration, keep)); }
  auto variance() const {
    auto const share = mean();
    return eval(share * (1 - share) / (sum<-1>(concentration, keep) + 1));
  }
  auto entropy() const {
    auto const total = eval(sum<-1>(concentration, keep));
    auto const slopes = (concentration - 1) * (digamma(total) - digamma(concentration));
    return eval(own::log_beta_of_line(concentration) + sum<-1>(slopes));
  }
};
template <class A>
Dirichlet(A) -> Dirichlet<A>;

/// Of Dirichlet distributions of the same axis.
template <class A, class B>
auto kl_divergence(Dirichlet<A> const& p, Dirichlet<B> const& q) {
  auto const total = eval(sum<-1>(p.concentration, keep));
  auto const slopes =
      (p.concentration - q.concentration) * (digamma(p.concentration) - digamma(total));
  return eval(sum<-1>(slopes) + own::log_beta_of_line(q.concentration) -
              own::log_beta_of_line(p.concentration));
}

}  // namespace tenon::distributions
