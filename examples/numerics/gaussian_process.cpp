// Regression by a Gaussian process: its three hyper-parameters are those with the largest marginal
// likelihood, whose gradient goes through a Cholesky factor (Rasmussen and Williams, "Gaussian
// Processes for Machine Learning", 2.2 and 5.4). The score is the error between the points.
// test-long

#include <cmath>
#include <cstdio>
#include <numbers>

#include <tenon/linalg.hpp>
#include <tenon/optim.hpp>

using namespace tenon;

using Points = Float64<"point">;
using Covariance = Float64<"point point">;

// Logarithms, so that each of them is positive.
struct Kernel {
  Float64<""> log_amplitude;
  Float64<""> log_length;
  Float64<""> log_noise;
};

// The squared amplitude times exp(-d² / 2) of the distances d in lengths.
Float64<"left right"> covariance(Kernel const& k, Points const& left, Points const& right) {
  auto const from = rearrange<"left -> left 1">(left);
  auto const distance = from - rename<"point -> right">(right);
  return exp(2.0 * k.log_amplitude - 0.5 * square(distance * exp(-k.log_length)));
}

// That of the measurements, with their noise.
Covariance covariance_of_measured(Kernel const& k, Points const& x) {
  auto const exact = rename<"left -> point, right -> point">(covariance(k, x, x));
  return exact + exp(2.0 * k.log_noise) * eye<Covariance>(x.size(), x.size());
}

// -log p(y | x): with A = L Lᵀ, the quadratic form of A⁻¹ is |L⁻¹ y|² and log det A / 2 is the sum
// of the logarithms of the diagonal of L.
Float64<""> negative_log_likelihood(Kernel const& k, Points const& x, Points const& y) {
  auto const factor = eval(linalg::cholesky(covariance_of_measured(k, x)));
  auto const white = eval(linalg::solve_triangular(factor, y, {.lower = true}));
  double const constant = static_cast<double>(x.size()) * std::log(2 * std::numbers::pi) / 2;
  return 0.5 * sum(square(white)) + sum(log(diagonal(factor))) + constant;
}

// The mean of the process at other points.
Points predict(Kernel const& k, Points const& x, Points const& y, Points const& at) {
  auto const weights = linalg::cho_solve(linalg::cholesky(covariance_of_measured(k, x)), y);
  return rename<"left -> point">(matmul(rename<"right -> point">(covariance(k, at, x)), weights));
}

Points truth(Points const& x) { return sin(3.0 * x) + 0.5 * x; }

double root_mean_square(Points const& x) { return std::sqrt(eval(mean(square(x))).item()); }

int main() {
  Points const x = linspace<Points>(0, 5, 40);
  Points const noise = normal<Points>(Key{1}, 0, 0.1, 40);
  Points const y = truth(x) + noise;

  auto const loss = [&](Kernel const& k) { return negative_log_likelihood(k, x, y); };
  Kernel const start{Float64<"">(0), Float64<"">(0), Float64<"">(-1)};
  auto const found = minimize(loss, start);
  std::printf("%s, after %d iterations\n", found.message.c_str(), int(found.iterations));
  std::printf("log likelihood %.2f, before %.2f\n", -found.value, -loss(start).item());
  double const sigma = std::exp(found.x.log_noise.item());
  std::printf("amplitude %.2f, length %.2f, noise %.3f of 0.100\n",
              std::exp(found.x.log_amplitude.item()), std::exp(found.x.log_length.item()), sigma);

  Points const between = linspace<Points>(0.06, 4.94, 200);
  double const before = root_mean_square(predict(start, x, y, between) - truth(between));
  double const score = root_mean_square(predict(found.x, x, y, between) - truth(between));
  std::printf("error between the points %.3f, before %.3f\n", score, before);
  return found.converged && score < 0.08 && score < before && std::abs(sigma - 0.1) < 0.04 ? 0 : 1;
}
