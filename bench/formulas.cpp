// Formulas of one line, fused into one loop, over numbers in cache, compared with the same formula
// in Eigen, and in xtensor if CMake found it. The limit is a loop that reads three inputs, writes
// the result and computes almost nothing. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <Eigen/Core>
#include <string>
#include <unsupported/Eigen/SpecialFunctions>

#include "compare.hpp"
#include "peers/xtensor_formulas.hpp"
#include "stream.hpp"

using namespace tenon;

using Vector = Eigen::Map<Eigen::ArrayXf>;
using Numbers = Float32<"n">;

/// Three inputs, and the results of Tenon and the peers.
struct Bench {
  std::int64_t n;
  Numbers a, b, c, ours, peer;
  Vector x, y, z, out;

  explicit Bench(std::int64_t size)
      : n(size),
        a(normal<Numbers>(Key{1}, n)),
        b(normal<Numbers>(Key{2}, n)),
        c(normal<Numbers>(Key{3}, n)),
        ours(zeros<Numbers>(n)),
        peer(zeros<Numbers>(n)),
        x(a.own_memory(), n),
        y(b.own_memory(), n),
        z(c.own_memory(), n),
        out(peer.own_memory(), n) {}

  /// The formula in Tenon, in Eigen and in xtensor, each a function without arguments.
  template <class F, class G>
  void operator()(char const* work, F const& f, G const& eigen,
                  xtensor_formulas::Formula const& xtensor) {
    against(work, "Eigen expression", f, eigen);
    if (xtensor_formulas::found)
      against(work, "xtensor", f, xtensor({a.data(), b.data(), c.data(), peer.own_memory(), n}));
    auto const pair = bench::compared(f, [&] {
      bench::multiply_add_relu(a.data(), b.data(), c.data(), peer.own_memory(), n, n);
    });
    bench::line_of_elements(work, "memory alone", n, pair, 0);
  }

  template <class F, class G>
  void against(char const* work, char const* name, F const& f, G const& rival) {
    auto const pair = bench::compared(f, rival);
    auto const differs = bench::difference(ours.data(), peer.data(), n);
    bench::line_of_elements(work, name, n, pair, differs);
  }
};

int main() {
  set_threads(1);
  bench::header_of_elements();
  Bench bench(100'000);
  auto& [n, a, b, c, ours, peer, x, y, z, out] = bench;
  bench(
      "relu(a * b + c)", [&] { ours = relu(a * b + c); }, [&] { out = (x * y + z).max(0.0f); },
      xtensor_formulas::relu_of_sum);
  bench(
      "tanh(a) * sigmoid(b) + c", [&] { ours = tanh(a) * sigmoid(b) + c; },
      [&] { out = x.tanh() * (1.0f / (1.0f + (-y).exp())) + z; }, xtensor_formulas::gated);
  bench(
      "exp(-square((a - b) / 2) / 2)", [&] { ours = exp(-0.5f * square((a - b) / 2.0f)); },
      [&] { out = (-0.5f * ((x - y) / 2.0f).square()).exp(); }, xtensor_formulas::bell);
  bench(
      "gelu(a)", [&] { ours = gelu(a); }, [&] { out = 0.5f * x * (1 + (x * 0.70710678f).erf()); },
      xtensor_formulas::gelu);
}
