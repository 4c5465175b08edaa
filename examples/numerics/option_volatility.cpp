// Options on a share that moves as a geometric Brownian motion. An option on the geometric mean of
// the price is simulated along paths, and its sensitivities are gradients of the simulation; both
// are compared with the closed form. Then the volatility that simulated prices imply is found.
// test-long

#include <cmath>
#include <cstdio>

#include <tenon/elementwise.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

using Scalar = Float64<"">;
using Chance = Float64<"path step=12">;  // normally distributed
using Strikes = Float64<"strike=5">;

struct Market {
  Scalar spot;        // today's price of the share
  Scalar volatility;  // standard deviation per year
  Scalar rate;        // interest per year
};

constexpr double years = 1, fixings = 12;
Strikes const strikes{80, 90, 100, 110, 120};

/// The logarithms of prices at the end of each month, along paths.
auto log_prices(Market const& market, Chance const& chance) {
  double const dt = years / fixings;
  auto const drift = (market.rate - square(market.volatility) / 2) * dt;
  auto const moves = drift + market.volatility * std::sqrt(dt) * chance;
  return eval(log(market.spot) + cumsum<"step">(eval(moves)));
}

/// The prices of the right to the excess of a simulated price over a strike, for each strike.
Strikes payoffs(Market const& market, Float64<"path"> const& price) {
  auto const excess = relu(rearrange<"path -> path 1">(price) - strikes);
  return exp(-market.rate * years) * mean<"path">(excess);
}

/// Prices of options on the mean price, by simulation.
Strikes simulate(Market const& market, Chance const& chance) {
  return payoffs(market, eval(exp(mean<"step">(log_prices(market, chance)))));
}

/// The cumulative normal distribution.
Strikes normal_cdf(Strikes const& x) { return 0.5 * erfc(-x * std::sqrt(0.5)); }

/// The prices where the logarithm is normal, with a mean and a deviation for each strike.
Strikes closed_form(Market const& market, Strikes const& center, Strikes const& spread) {
  Strikes const d = (center - log(strikes)) / spread;
  Strikes const forward = exp(center + square(spread) / 2);
  return exp(-market.rate * years) * (forward * normal_cdf(d + spread) - strikes * normal_cdf(d));
}

/// The prices at the end of the year: the formula of Black and Scholes.
Strikes black_scholes(Market const& market, Strikes const& volatilities) {
  Strikes const center = log(market.spot) + (market.rate - square(volatilities) / 2) * years;
  return closed_form(market, center, eval(volatilities * std::sqrt(years)));
}

/// Prices of options on the mean price. A. Kemna, A. Vorst, "A pricing method for options based on
/// average asset values", 1990.
Strikes exact(Market const& market) {
  double const time = years * (fixings + 1) / (2 * fixings);
  double const variance = years * (fixings + 1) * (2 * fixings + 1) / (6 * fixings * fixings);
  auto const drift = market.rate - square(market.volatility) / 2;
  Strikes const each = ones<Strikes>();
  Strikes const center = (log(market.spot) + drift * time) * each;
  return closed_form(market, center, eval(market.volatility * std::sqrt(variance) * each));
}

/// The volatilities that prices imply, by Newton's method: vega is the gradient of the formula.
Strikes implied_volatilities(Market const& market, Strikes const& prices) {
  Strikes volatilities = full<Strikes>(0.5);
  for (int step = 0; step < 10; ++step) {
    auto const total = [&](Strikes const& v) { return sum(black_scholes(market, v)); };
    auto const vega = grad(total)(volatilities);
    volatilities = volatilities - (black_scholes(market, volatilities) - prices) / vega;
  }
  return volatilities;
}

bool close(char const* name, Scalar const& found, Scalar const& expected) {
  std::printf("%-6s %9.4f  closed form %9.4f\n", name, found.item(), expected.item());
  return std::abs(found.item() / expected.item() - 1) < 0.005;
}

int main() {
  Market const market{100.0, 0.25, 0.03};
  auto const half = normal<Chance>(Key{1}, 50'000);
  Chance const chance = concat<"path">(half, -half);  // for each path its mirror image

  // Of one option of each strike together.
  auto const [price, greeks] =
      value_and_grad([&](Market const& m) { return sum(simulate(m, chance)); })(market);
  auto const [expected, exact_greeks] =
      value_and_grad([](Market const& m) { return sum(exact(m)); })(market);
  bool right = close("price", price, expected);
  right &= close("delta", greeks.spot, exact_greeks.spot);
  right &= close("vega", greeks.volatility, exact_greeks.volatility);
  right &= close("rho", greeks.rate, exact_greeks.rate);

  // Simulated prices at the end of the year imply the volatility of the simulation.
  auto const last = squeeze<"step">(slice<"step", 11, 12>(log_prices(market, chance)));
  Strikes const found = implied_volatilities(market, payoffs(market, eval(exp(last))));
  std::printf("implied volatilities %s\n", to_string(found).c_str());
  right &= max(abs(found - market.volatility)).item() < 0.002;
  return right ? 0 : 1;
}
