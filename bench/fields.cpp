// Fields and paths compared with handwritten loops. One thread.
#include <array>
#include <vector>

#include <tenon/tenon.hpp>

#include "compare.hpp"

using namespace tenon;

using Rod = Float64<"x">;
using Scalar = Float64<"">;
using Numbers = std::vector<double>;

constexpr int steps = 100;

Numbers with_ends(Rod const& rod) {
  Numbers whole(static_cast<std::size_t>(rod.size()) + 2);
  std::copy_n(rod.data(), rod.size(), whole.begin() + 1);
  return whole;
}

double furthest(double const* a, double const* b, std::int64_t n) {
  double worst = 0;
  for (std::int64_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

Rod later(Rod u, Scalar const& conductivity, int count) {
  for (int i = 0; i < count; ++i) {
    auto const whole = pad<"x", 1, 1>(u);
    auto const left = slice<0, 0, -2>(whole), right = slice<0, 2, to_end>(whole);
    u = u + conductivity * (left - 2 * u + right);
  }
  return u;
}

/// The same by hand: two rods with their ends, written alternately.
void later(Numbers& u, Numbers& next, double conductivity, int count) {
  for (int s = 0; s < count; ++s, std::swap(u, next))
    for (std::size_t i = 1; i + 1 < u.size(); ++i)
      next[i] = u[i] + conductivity * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

/// The gradient of the sum of squares at the end: all rods are stored, and visited in reverse.
double gradient(std::vector<Numbers>& kept, Numbers& adjoint, Numbers& before,
                double conductivity) {
  std::size_t const n = kept[0].size();
  for (std::size_t s = 0; s + 1 < kept.size(); ++s)
    for (std::size_t i = 1; i + 1 < n; ++i)
      kept[s + 1][i] =
          kept[s][i] + conductivity * (kept[s][i - 1] - 2 * kept[s][i] + kept[s][i + 1]);
  for (std::size_t i = 1; i + 1 < n; ++i) adjoint[i] = 2 * kept.back()[i];
  double result = 0;
  for (std::size_t s = kept.size() - 1; s-- > 0; std::swap(adjoint, before))
    for (std::size_t i = 1; i + 1 < n; ++i) {
      result += adjoint[i] * (kept[s][i - 1] - 2 * kept[s][i] + kept[s][i + 1]);
      before[i] = adjoint[i] + conductivity * (adjoint[i - 1] - 2 * adjoint[i] + adjoint[i + 1]);
    }
  return result;
}

void stepped(char const* work, std::int64_t points) {
  Rod const start = sin(iota<Rod>(points) * 0.01);
  Rod ours;
  Numbers const whole = with_ends(start);
  Numbers u, next = whole;
  double const speed = bench::speedup([&] { ours = later(start, 0.3, steps); },
                                      [&] { u = whole, later(u, next, 0.3, steps); });
  bench::line(work, "loop by hand", speed, furthest(ours.data(), u.data() + 1, points));
}

void differentiated(char const* work, std::int64_t points) {
  Rod const start = sin(iota<Rod>(points) * 0.01);
  std::vector<Numbers> kept(steps + 1, with_ends(start));
  Numbers adjoint(kept[0].size()), before = adjoint;
  double by_hand = 0;
  Scalar ours;
  auto const loss = [&](Scalar const& c) { return sum(square(later(start, c, steps))); };
  double const speed = bench::speedup([&] { ours = grad(loss)(Scalar(0.3)); },
                                      [&] { by_hand = gradient(kept, adjoint, before, 0.3); });
  bench::line(work, "adjoint by hand", speed, std::abs(by_hand / ours.item() - 1));
}

struct Market {
  Scalar spot, volatility, rate;
};
using Paths = Float64<"path">;

/// The price of a call at 105 in a year.
Scalar price(Market const& m, Paths const& chance) {
  auto const end = m.spot * exp(m.rate - square(m.volatility) / 2 + m.volatility * chance);
  return exp(-m.rate) * mean(relu(end - 105));
}

/// The same by hand, with its gradients with respect to the spot price and the volatility.
std::array<double, 3> price(double spot, double volatility, double rate, Paths const& chance) {
  double sum = 0, by_spot = 0, by_volatility = 0;
  double const* const z = chance.data();
  for (std::int64_t i = 0; i < chance.size(); ++i) {
    double const growth = std::exp(rate - volatility * volatility / 2 + volatility * z[i]);
    if (spot * growth <= 105) continue;
    sum += spot * growth - 105;
    by_spot += growth;
    by_volatility += spot * growth * (z[i] - volatility);
  }
  double const share = std::exp(-rate) / static_cast<double>(chance.size());
  return {share * sum, share * by_spot, share * by_volatility};
}

void option(std::int64_t paths) {
  auto const chance = normal<Paths>(Key{1}, paths);
  std::pair<Scalar, Market> ours;
  std::array<double, 3> by_hand{};
  auto const loss = [&](Market const& m) { return price(m, chance); };
  double const speed = bench::speedup(
      [&] {
        ours = value_and_grad(loss)(Market{100.0, 0.2, 0.05});
      },
      [&] { by_hand = price(100, 0.2, 0.05, chance); });
  bench::line("option and gradients, 100000 paths", "loop by hand", speed,
              std::abs(by_hand[2] / ours.second.volatility.item() - 1));
}

int main() {
  set_threads(1);
  bench::header();
  stepped("heat, 100 steps, 1000 points", 1000);
  differentiated("  its gradient", 1000);
  stepped("heat, 100 steps, 100000 points", 100'000);
  differentiated("  its gradient", 100'000);
  option(100'000);
}
