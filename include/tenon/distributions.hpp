#pragma once

// Probability distributions: Normal LogNormal Uniform Exponential Laplace Cauchy Gumbel Bernoulli
// Geometric Gamma Beta StudentT Dirichlet Poisson Binomial Categorical MultivariateNormal,
// kl_divergence. Draws, in namespace tenon::random: exponential laplace cauchy gumbel
// lognormal rademacher randint gamma beta student_t truncated_normal poisson binomial dirichlet
// multinomial multivariate_normal choice.

#include <tenon/numeric/distributions.hpp>
#include <tenon/numeric/distributions/categorical.hpp>
#include <tenon/numeric/distributions/counts.hpp>
#include <tenon/numeric/distributions/dirichlet.hpp>
#include <tenon/numeric/distributions/logits.hpp>
#include <tenon/numeric/distributions/multivariate_normal.hpp>
#include <tenon/numeric/draws/transforms.hpp>
#include <tenon/tenon.hpp>
