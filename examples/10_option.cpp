// The price of an option by simulation, and its slopes: how the price follows the market. Both are
// compared with the formula of Black and Scholes.

#include <cmath>
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

/// What the price depends on: one market for all paths, `Float64<"">`, or one for each.
template <class Number>
struct Market {
  Number spot;        // what the share costs today
  Number volatility;  // how much it moves in a year
  Number rate;        // interest, a year
};

using OneMarket = Market<Float64<"">>;
using Paths = Float64<"path">;

constexpr double strike = 105, years = 1;  // the right to buy at 105 in a year

/// What the option pays on each path, in today's money; `chance` is normally distributed.
auto payoff(auto const& market, Paths const& chance) {
  auto const drift = (market.rate - square(market.volatility) / 2) * years;
  auto const end = market.spot * exp(drift + market.volatility * std::sqrt(years) * chance);
  return exp(-market.rate * years) * relu(end - strike);
}

/// The share of a normal distribution that lies below.
auto below(auto const& x) { return (1 + erf(x * std::sqrt(0.5))) / 2; }

Float64<""> black_scholes(OneMarket const& market) {
  Float64<""> const spread = market.volatility * std::sqrt(years);
  Float64<""> const d = (log(market.spot / strike) + market.rate * years) / spread + spread / 2;
  return market.spot * below(d) - strike * exp(-market.rate * years) * below(d - spread);
}

/// Prints a mean over the paths beside what it should be. Are they less than four standard errors
/// apart?
bool close(char const* name, Paths const& samples, Float64<""> const& expected) {
  double const n = static_cast<double>(samples.size());
  double const simulated = mean(samples).item(), error = stddev(samples).item() / std::sqrt(n);
  double const off = (simulated - expected.item()) / error;
  std::printf("%-8s %9.5f +- %.5f %12.5f %14.1f\n", name, simulated, error, expected.item(), off);
  return std::abs(off) < 4;
}

int main() {
  constexpr int count = 500'000;
  OneMarket const market{100.0, 0.2, 0.05};
  auto const chance = normal<Paths>(Key{1}, count);

  // The price and all of its slopes at once.
  auto const [price, slope] =
      value_and_grad([&](OneMarket const& m) { return mean(payoff(m, chance)); })(market);

  // How certain are they? With a market for each path, the gradient is a sample for each path.
  Market<Paths> const each{full<Paths>(100.0, count), full<Paths>(0.2, count),
                           full<Paths>(0.05, count)};
  auto const samples = grad([&](Market<Paths> const& m) { return sum(payoff(m, chance)); })(each);

  auto const [formula, greek] = value_and_grad(black_scholes)(market);
  std::puts("         simulated   error  Black-Scholes  errors apart");
  bool right = close("price", payoff(market, chance), formula);
  right &= close("delta", samples.spot, greek.spot);
  right &= close("vega", samples.volatility, greek.volatility);
  right &= close("rho", samples.rate, greek.rate);

  right &= std::abs(price.item() - mean(payoff(market, chance)).item()) < 1e-10;
  right &= std::abs(slope.volatility.item() - mean(samples.volatility).item()) < 1e-10;

  // The slope of the formula is the textbook's: delta is the share below d.
  double const d = (std::log(100 / strike) + 0.05 + 0.02) / 0.2;
  right &= std::abs(greek.spot.item() - 0.5 * std::erfc(-d * std::sqrt(0.5))) < 1e-14;
  return right ? 0 : 1;
}
