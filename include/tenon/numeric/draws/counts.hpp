#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <tenon/numeric/draws/continuous.hpp>

/// One number of a distribution of counts, as a `double`.
namespace tenon::internal::random {

/// log(k!) - (k + 1/2) log(k + 1) + (k + 1) - log(2 pi) / 2 for integers k >= 0, the rest of
/// Stirling's formula. W. Hörmann, "The generation of binomial random variates", 1993.
constexpr double stirling_correction(double k) {
  constexpr std::array<double, 10> small{
      0.081061466795327258,  0.041340695955409294, 0.027677925684998338, 0.020790672103765093,
      0.016644691189821193,  0.013876128823070748, 0.011896709945891770, 0.010411265261972096,
      0.0092554621827127329, 0.0083305634333631251};
  if (k < 10) return small[static_cast<std::size_t>(k)];
  double const n = k + 1, square = n * n;
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / n;
}

/// The steps that a uniform number makes through the probabilities of 0, 1, ...: the quotient of
/// those of k and k - 1 is `quotient(k)`.
template <class Quotient>
constexpr double count_steps(double u, double first, double last, Quotient const& quotient) {
  double k = 0, probability = first;
  while (u > probability && k < last) {
    u -= probability;
    k += 1;
    probability *= quotient(k);
  }
  return k;
}

/// A candidate of the transformed rejection: the point `k` under a hat, its height `v`, and whether
/// it is in the region where all are accepted.
struct Candidate {
  double k, height, log_height;
  bool is_inside;
};

/// The parameters of the hat of W. Hörmann's method, fitted to a distribution.
struct Hat {
  double a, b, center, inner_height;

  constexpr Candidate next(Sequence& numbers) const {
    double const u = numbers.uniform() - 0.5, v = numbers.uniform();
    double const edge = 0.5 - (u < 0 ? -u : u), slope = a / (edge * edge) + b;
    double const k = op::floor((2 * a / edge + b) * u + center);
    return {k, v, op::Log::f(v / slope), edge >= 0.07 && v <= inner_height};
  }
};

/// log(mean^k e^-mean / k!), as a sum of terms without cancellation for large means.
constexpr double log_poisson(double k, double mean) {
  double const n = k + 1, difference = mean - n;
  double const shape = n * (op::Log1p::f(difference / n) - difference / n);
  double const half_log = 0.5 * op::Log::f(6.283185307179586477 * n);
  return shape - op::Log::f(mean) + op::Log::f(n) - half_log - stirling_correction(k);
}

/// W. Hörmann, "The transformed rejection method for generating Poisson random variables", 1993:
/// PTRS, for means of 10 and more.
constexpr double large_poisson(Sequence& numbers, double mean) {
  double const b = 0.931 + 2.53 * op::sqrt(mean);
  Hat const hat{-0.059 + 0.02483 * b, b, mean + 0.43, 0.9277 - 3.6224 / (b - 2)};
  double const log_scale = op::Log::f(1.1239 + 1.1328 / (b - 3.4));
  for (;;) {
    Candidate const at = hat.next(numbers);
    if (at.is_inside) return at.k;
    if (at.k >= 0 && at.log_height + log_scale <= log_poisson(at.k, mean)) return at.k;
  }
}

struct PoissonDraw {
  static constexpr std::string_view name = "poisson", form = "poisson<R>(Key(42), 4.0, n)",
                                    expected = "a finite rate >= 0";
  static constexpr bool takes(double rate) { return rate >= 0 && rate < infinite; }
  static constexpr double of(Sequence& numbers, double rate) {
    if (!takes(rate)) return not_a_number;
    if (rate >= 10) return large_poisson(numbers, rate);
    double const first = op::Exp::f(-rate);
    return count_steps(numbers.uniform(), first, 1000, [=](double k) { return rate / k; });
  }
};

/// The logarithm of the quotient of the probabilities of k and of the mode m, of n trials with odds
/// p / (1 - p).
constexpr double log_binomial_quotient(double k, double m, double n, double odds) {
  double const up = op::Log::f(odds * (n - m + 1) / (m + 1)) * (k - m);
  double const rest = op::Log1p::f((m - k) / (k + 1)) - op::Log1p::f((k - m) / (n - k + 1));
  double const ends = (n + 1) * op::Log1p::f((k - m) / (n - k + 1));
  return up + (k + 0.5) * rest + ends + stirling_correction(m) + stirling_correction(n - m) -
         stirling_correction(k) - stirling_correction(n - k);
}

/// BTRS of the same author, for means of 10 and more, and p <= 1/2.
constexpr double large_binomial(Sequence& numbers, double n, double p) {
  double const odds = p / (1 - p), deviation = op::sqrt(n * p * (1 - p));
  double const b = 1.15 + 2.53 * deviation, mode = op::floor((n + 1) * p);
  Hat const hat{-0.0873 + 0.0248 * b + 0.01 * p, b, n * p + 0.5, 0.92 - 4.2 / b};
  double const log_scale = op::Log::f((2.83 + 5.1 / b) * deviation);
  for (;;) {
    Candidate const at = hat.next(numbers);
    if (at.is_inside) return at.k;
    if (at.k < 0 || at.k > n) continue;
    if (at.log_height + log_scale <= log_binomial_quotient(at.k, mode, n, odds)) return at.k;
  }
}

/// The successes of n trials, for p <= 1/2.
constexpr double binomial_below_half(Sequence& numbers, double n, double p) {
  if (n * p >= 10) return large_binomial(numbers, n, p);
  double const odds = p / (1 - p), first = op::Exp::f(n * op::Log1p::f(-p));
  return count_steps(numbers.uniform(), first, n < 1000 ? n : 1000,
                     [=](double k) { return odds * (n - k + 1) / k; });
}

struct BinomialDraw {
  static constexpr std::string_view name = "binomial", form = "binomial<R>(Key(42), 10, 0.5, n)",
                                    expected = "a finite integer n >= 0 and p from 0 to 1";
  static constexpr bool takes(double n, double p) {
    return n >= 0 && n < infinite && n == op::floor(n) && p >= 0 && p <= 1;
  }
  static constexpr double of(Sequence& numbers, double n, double p) {
    if (!takes(n, p)) return not_a_number;
    if (p <= 0.5) return binomial_below_half(numbers, n, p);
    return n - binomial_below_half(numbers, n, 1 - p);
  }
};

}  // namespace tenon::internal::random
