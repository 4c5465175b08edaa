// The price of an option by simulation, and its sensitivities to the market parameters. Both are
// compared with the formula of Black and Scholes.

#include <cmath>
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

/// The parameters of the price: of one market, or of one for each path.
template <class Number>
struct Market {
  Number spot;        // today's price of the share
  Number volatility;  // standard deviation per year
  Number rate;        // interest per year
};

using OneMarket = Market<Float64<"">>;
using Paths = Float64<"path">;

constexpr double strike = 105, years = 1;  // the right to buy at 105 in a year

/// The discounted payoff of the option on each path; `chance` is normally distributed.
auto payoff(auto const& market, Paths const& chance) {
  auto const drift = (market.rate - square(market.volatility) / 2) * years;
  auto const end = market.spot * exp(drift + market.volatility * std::sqrt(years) * chance);
  return exp(-market.rate * years) * relu(end - strike);
}

/// The cumulative normal distribution.
auto below(auto const& x) { return (1 + erf(x * std::sqrt(0.5))) / 2; }

Float64<""> black_scholes(OneMarket const& market) {
  Float64<""> const spread = market.volatility * std::sqrt(years);
  Float64<""> const d = (log(market.spot / strike) + market.rate * years) / spread + spread / 2;
  return market.spot * below(d) - strike * exp(-market.rate * years) * below(d - spread);
}

/// Prints a mean over the paths and the expected value. True if they are less than four standard
/// errors apart.
bool close(char const* name, Paths const& samples, Float64<""> const& expected) {
  double const n = static_cast<double>(samples.size());
  double const simulated = mean(samples).item(), error = stddev(samples).item() / std::sqrt(n);
  double const off = (simulated - expected.item()) / error;
  std::printf("%-8s %9.5f +- %.5f %12.5f %14.1f\n", name, simulated, error, expected.item(), off);
  return std::abs(off) < 4;
}

int main() {
  constexpr int count = 500'000;
  auto const chance = normal<Paths>(Key{1}, count);

  // With a market for each path, the gradient of the sum is a sample of the sensitivities for each
  // path: their mean estimates the sensitivity of the price, and their standard deviation the
  // error.
  Market<Paths> const each{full<Paths>(100.0, count), full<Paths>(0.2, count),
                           full<Paths>(0.05, count)};
  auto const sensitivities = grad([&](auto const& m) { return sum(payoff(m, chance)); })(each);

  // The formula, and its sensitivities, also by grad.
  OneMarket const market{100.0, 0.2, 0.05};
  auto const [price, greeks] = value_and_grad(black_scholes)(market);

  std::puts("         simulated   error  Black-Scholes  errors apart");
  bool right = close("price", payoff(each, chance), price);
  right &= close("delta", sensitivities.spot, greeks.spot);
  right &= close("vega", sensitivities.volatility, greeks.volatility);
  right &= close("rho", sensitivities.rate, greeks.rate);

  // The textbook formula of delta is the cumulative normal distribution at d.
  double const d = (std::log(100 / strike) + 0.05 + 0.02) / 0.2;
  right &= std::abs(greeks.spot.item() - 0.5 * std::erfc(-d * std::sqrt(0.5))) < 1e-14;
  return right ? 0 : 1;
}
