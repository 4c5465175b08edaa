// The portfolio with the most return for its risk, from a history of returns: by gradient ascent on
// weights that are a softmax, so that they are positive and sum to one; compared with the solution
// of Markowitz in closed form.
// test-long

#include <cstdio>
#include <tuple>

#include <tenon/distributions.hpp>
#include <tenon/linalg.hpp>
#include <tenon/optim.hpp>
#include <tenon/statistics.hpp>

using namespace tenon;

using Shares = Float64<"asset=4">;
using Covariance = Float64<"asset=4 asset=4">;
using History = Float64<"day asset=4">;

constexpr double days = 252;  // of trading, in a year

/// What is known of the returns of the assets in a year.
struct Estimate {
  Shares mean;
  Covariance covariance;
};

struct Portfolio {
  Shares logits;  // the parameters of the search

  Shares weights() const { return softmax<"asset">(logits); }
};

/// Returns of ten years, each day independent and normally distributed.
History history(Key const& key) {
  Shares const yearly{0.05, 0.07, 0.09, 0.06};
  Covariance const covariance{{0.010, 0.002, 0.003, 0.001},
                              {0.002, 0.025, 0.006, 0.002},
                              {0.003, 0.006, 0.040, 0.004},
                              {0.001, 0.002, 0.004, 0.018}};
  return random::multivariate_normal<History>(key, eval(yearly / days), eval(covariance / days),
                                              10 * int(days));
}

Estimate estimate(History const& returns) {
  return {mean<"day">(returns) * days, cov<"day">(returns) * days};
}

/// The return per standard deviation, Sharpe's ratio without interest.
Float64<""> sharpe(Estimate const& known, Shares const& weights) {
  auto const variance = dot(weights, matmul(known.covariance, weights));
  return dot(known.mean, weights) / sqrt(variance);
}

Portfolio optimise(Estimate const& known) {
  Portfolio portfolio;  // equal weights
  auto const adam = Adam{.rate = 0.05};
  auto state = adam.init(portfolio);
  for (int step = 0; step <= 400; ++step) {
    auto const [loss, gradient] = value_and_grad(
        [&](Portfolio const& p) { return eval(-sharpe(known, p.weights())); })(portfolio);
    std::tie(portfolio, state) = adam.step(portfolio, gradient, state);
    if (step % 100 == 0) std::printf("step %3d: Sharpe's ratio %.6f\n", step, -loss.item());
  }
  return portfolio;
}

/// H. Markowitz, "Portfolio selection", 1952: the covariance's inverse times the mean, which is the
/// solution while no weight is negative.
Shares closed_form(Estimate const& known) {
  Shares const direction = linalg::solve(known.covariance, known.mean);
  return direction / sum(direction);
}

int main() {
  Estimate const known = estimate(history(Key{2}));
  Shares const found = optimise(known).weights(), expected = closed_form(known);
  std::printf("weights     %s\nclosed form %s\n", to_string(found).c_str(),
              to_string(expected).c_str());
  double const equal = sharpe(known, full<Shares>(0.25)).item();
  double const best = sharpe(known, expected).item();
  std::printf("Sharpe's ratio %.4f, of equal weights %.4f\n", best, equal);
  bool const is_inside = min(expected).item() > 0 && best > equal;
  return is_inside && max(abs(found - expected)).item() < 1e-4 ? 0 : 1;
}
