#pragma once

#include <tenon/eval/linalg/cholesky.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/expr/view/diagonal.hpp>
#include <tenon/numeric/distributions.hpp>
#include <tenon/numeric/triangular.hpp>

namespace tenon::internal::distributions {

/// The squared Mahalanobis distance |L⁻¹ x|² of vectors x, the last axis of an expression of one or
/// two axes.
template <class F, class X>
auto squared_mahalanobis(F const& factor, X const& x) {
  linalg::TriangularOptions const lower{.lower = true};
  if constexpr (X::shape.rank == 1)
    return eval(sum(square(linalg::solve_triangular(factor, eval(x), lower))));
  else return eval(sum<0>(square(linalg::solve_triangular(factor, eval(transpose(x)), lower))));
}

/// The logarithm of the determinant of L Lᵀ.
template <class F>
auto log_determinant(F const& factor) {
  return eval(2 * sum(log(diagonal(factor))));
}

inline constexpr double half_log_of_circle = 0.91893853320467274178;  // log(2 pi) / 2

template <class C>
double dimensions_of(C const& covariance) {
  return static_cast<double>(at(covariance.sizes(), 0));
}

}  // namespace tenon::internal::distributions

namespace tenon::distributions {

/// The normal distribution of vectors: means `loc` "n" or "batch n", and one covariance matrix "n
/// n", positive definite; the functions throw `ValueError` for another. SciPy:
/// `multivariate_normal`. PyTorch: `MultivariateNormal`.
template <class L, class C>
struct MultivariateNormal {
  L loc;
  C covariance;

  auto sample(Key const& key) const {
    auto const z = own::normal_like(key, loc);
    return eval(loc + matmul(z, transpose(linalg::cholesky(covariance))));
  }
  template <class X>
  auto log_prob(X const& x) const {
    auto const factor = linalg::cholesky(covariance);
    auto const squares = own::squared_mahalanobis(factor, x - loc);
    return eval(-0.5 * (squares + own::log_determinant(factor)) -
                own::dimensions_of(covariance) * own::half_log_of_circle);
  }
  auto mean() const { return loc; }
  auto variance() const { return own::broadcast(diagonal(covariance), loc); }
  auto entropy() const {
    auto const half = 0.5 * own::log_determinant(linalg::cholesky(covariance));
    return eval(half + own::dimensions_of(covariance) * (own::half_log_of_circle + 0.5));
  }
};
template <class L, class C>
MultivariateNormal(L, C) -> MultivariateNormal<L, C>;

/// Of normal distributions of the same axis, by the Cholesky factor of each covariance.
template <class L, class C, class M, class D>
auto kl_divergence(MultivariateNormal<L, C> const& p, MultivariateNormal<M, D> const& q) {
  auto const of_p = linalg::cholesky(p.covariance), of_q = linalg::cholesky(q.covariance);
  internal::linalg::TriangularOptions const lower{.lower = true};
  auto const trace = eval(sum(square(linalg::solve_triangular(of_q, of_p, lower))));
  auto const logarithms = eval(own::log_determinant(of_q) - own::log_determinant(of_p));
  double const size = own::dimensions_of(p.covariance);
  return eval(0.5 * (trace + own::squared_mahalanobis(of_q, p.loc - q.loc) + logarithms - size));
}

}  // namespace tenon::distributions
