#pragma once

// Probability distributions: Normal LogNormal Uniform Exponential Laplace Cauchy Gumbel Bernoulli
// Geometric, kl_divergence.

#include <tenon/numeric/distributions.hpp>
#include <tenon/tenon.hpp>
