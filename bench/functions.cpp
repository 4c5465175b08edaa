// Each elementary function over numbers in cache, compared with Eigen's of the same name, and the
// largest error of each in units in the last place, over the same numbers. One thread.
//
// Where Eigen is faster it is less accurate: its sine and cosine are computed in single precision
// (ours are rounded from double), its square roots refine an estimate, and its gelu and gelu_tanh
// subtract from one and therefore have no correct digit for some arguments below zero.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

#include "compare.hpp"

using namespace tenon;

using Vector = Eigen::Map<Eigen::ArrayXf>;
using Numbers = Float32<"n">;

struct Bench {
  Numbers x, ours, peer;
  Vector in, out;

  explicit Bench(std::int64_t n)
      : x(eval(3.0f * normal<Numbers>(Key{1}, n))),
        ours(zeros<Numbers>(n)),
        peer(zeros<Numbers>(n)),
        in(x.own_memory(), n),
        out(peer.own_memory(), n) {}

  /// The largest distance from `exact`, a function of double, in units in the last place.
  template <class E>
  double units(Numbers const& got, E const& exact) const {
    double worst = 0;
    for (std::int64_t i = 0; i < x.size(); ++i) {
      double const y = exact(double(x.data()[i]));
      double const unit = std::ldexp(1.0, std::max(std::ilogb(y), -126) - 23);
      worst = std::max(worst, std::abs(double(got.data()[i]) - y) / unit);
    }
    return worst;
  }

  template <class F, class G, class E>
  void operator()(char const* work, F const& f, G const& g, E const& exact) {
    auto const pair = bench::compared([&] { ours = f(x); }, [&] { out = g(in); });
    std::printf("%-14s %8.3f %8.2fx %12.2f %12.4g\n", work, pair.seconds * 1e9 / double(x.size()),
                pair.ratio, units(ours, exact), units(peer, exact));
    bench::figure(work, "Eigen", pair.ratio);
  }
};

void exponentials(Bench& compare) {
  compare(
      "exp", [](auto& x) { return Numbers(exp(x)); }, [](auto& x) { return x.exp(); },
      [](double x) { return std::exp(x); });
  compare(
      "expm1", [](auto& x) { return Numbers(expm1(x)); }, [](auto& x) { return x.expm1(); },
      [](double x) { return std::expm1(x); });
  compare(
      "log(abs)", [](auto& x) { return Numbers(log(abs(x))); },
      [](auto& x) { return x.abs().log(); }, [](double x) { return std::log(std::abs(x)); });
  compare(
      "log1p(abs)", [](auto& x) { return Numbers(log1p(abs(x))); },
      [](auto& x) { return x.abs().log1p(); }, [](double x) { return std::log1p(std::abs(x)); });
}

void gates(Bench& compare) {
  compare(
      "tanh", [](auto& x) { return Numbers(tanh(x)); }, [](auto& x) { return x.tanh(); },
      [](double x) { return std::tanh(x); });
  compare(
      "sigmoid", [](auto& x) { return Numbers(sigmoid(x)); },
      [](auto& x) { return 1.0f / (1.0f + (-x).exp()); },
      [](double x) { return 1 / (1 + std::exp(-x)); });
  compare(
      "silu", [](auto& x) { return Numbers(silu(x)); },
      [](auto& x) { return x / (1.0f + (-x).exp()); },
      [](double x) { return x / (1 + std::exp(-x)); });
  compare(
      "gelu_tanh", [](auto& x) { return Numbers(gelu_tanh(x)); },
      [](auto& x) {
        return 0.5f * x * (1.0f + (0.7978845608f * (x + 0.044715f * x * x * x)).tanh());
      },
      [](double x) {
        return x / (1 + std::exp(-1.5957691216057308 * (x + 0.044715 * x * x * x)));
      });
}

void tails(Bench& compare) {
  compare(
      "erf", [](auto& x) { return Numbers(erf(x)); }, [](auto& x) { return x.erf(); },
      [](double x) { return std::erf(x); });
  compare(
      "gelu", [](auto& x) { return Numbers(gelu(x)); },
      [](auto& x) { return 0.5f * x * (1.0f + (x * 0.70710678f).erf()); },
      [](double x) { return 0.5 * x * std::erfc(x * -0.70710678118654752); });
}

void angles_and_roots(Bench& compare) {
  compare(
      "sin", [](auto& x) { return Numbers(sin(x)); }, [](auto& x) { return x.sin(); },
      [](double x) { return std::sin(x); });
  compare(
      "cos", [](auto& x) { return Numbers(cos(x)); }, [](auto& x) { return x.cos(); },
      [](double x) { return std::cos(x); });
  compare(
      "sqrt(abs)", [](auto& x) { return Numbers(sqrt(abs(x))); },
      [](auto& x) { return x.abs().sqrt(); }, [](double x) { return std::sqrt(std::abs(x)); });
  compare(
      "rsqrt(abs)", [](auto& x) { return Numbers(rsqrt(abs(x))); },
      [](auto& x) { return x.abs().rsqrt(); }, [](double x) { return 1 / std::sqrt(std::abs(x)); });
  compare(
      "1 / x", [](auto& x) { return Numbers(1 / x); }, [](auto& x) { return 1.0f / x; },
      [](double x) { return 1 / x; });
}

int main() {
  set_threads(1);
  std::printf("%-14s %8s %9s %12s %12s\n", "against Eigen", "ns", "speed", "our ulp", "its ulp");
  Bench compare(30'000);  // far more than the overhead of one evaluation
  exponentials(compare);
  gates(compare);
  tails(compare);
  angles_and_roots(compare);
}
