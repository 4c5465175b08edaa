// Each elementary function over numbers in cache, against Eigen's of the same name. One thread.
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
        in(x.mutable_data(), n),
        out(peer.mutable_data(), n) {}

  template <class F, class G>
  void operator()(char const* work, F const& f, G const& g) {
    auto const pair = bench::compared([&] { ours = f(x); }, [&] { out = g(in); });
    bench::line_of_elements(work, "Eigen", x.size(), pair,
                            bench::difference(ours.data(), peer.data(), x.size()));
  }
};

void exponentials(Bench& compare) {
  compare(
      "exp", [](auto& x) { return Numbers(exp(x)); }, [](auto& x) { return x.exp(); });
  compare(
      "expm1", [](auto& x) { return Numbers(expm1(x)); }, [](auto& x) { return x.expm1(); });
  compare(
      "log(abs)", [](auto& x) { return Numbers(log(abs(x))); },
      [](auto& x) { return x.abs().log(); });
  compare(
      "log1p(abs)", [](auto& x) { return Numbers(log1p(abs(x))); },
      [](auto& x) { return x.abs().log1p(); });
}

void gates(Bench& compare) {
  compare(
      "tanh", [](auto& x) { return Numbers(tanh(x)); }, [](auto& x) { return x.tanh(); });
  compare(
      "sigmoid", [](auto& x) { return Numbers(sigmoid(x)); },
      [](auto& x) { return 1.0f / (1.0f + (-x).exp()); });
  compare(
      "silu", [](auto& x) { return Numbers(silu(x)); },
      [](auto& x) { return x / (1.0f + (-x).exp()); });
  compare(
      "gelu_tanh", [](auto& x) { return Numbers(gelu_tanh(x)); },
      [](auto& x) {
        return 0.5f * x * (1.0f + (0.7978845608f * (x + 0.044715f * x * x * x)).tanh());
      });
}

void tails(Bench& compare) {
  compare(
      "erf", [](auto& x) { return Numbers(erf(x)); }, [](auto& x) { return x.erf(); });
  compare(
      "gelu", [](auto& x) { return Numbers(gelu(x)); },
      [](auto& x) { return 0.5f * x * (1.0f + (x * 0.70710678f).erf()); });
}

void angles_and_roots(Bench& compare) {
  compare(
      "sin", [](auto& x) { return Numbers(sin(x)); }, [](auto& x) { return x.sin(); });
  compare(
      "cos", [](auto& x) { return Numbers(cos(x)); }, [](auto& x) { return x.cos(); });
  compare(
      "sqrt(abs)", [](auto& x) { return Numbers(sqrt(abs(x))); },
      [](auto& x) { return x.abs().sqrt(); });
  compare(
      "rsqrt(abs)", [](auto& x) { return Numbers(rsqrt(abs(x))); },
      [](auto& x) { return x.abs().rsqrt(); });
  compare(
      "1 / x", [](auto& x) { return Numbers(1 / x); }, [](auto& x) { return 1.0f / x; });
}

int main() {
  set_threads(1);
  bench::header_of_elements();
  Bench compare(10'000);
  exponentials(compare);
  gates(compare);
  tails(compare);
  angles_and_roots(compare);
}
