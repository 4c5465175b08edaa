// Formulas, fused, against the same formula in Eigen and against loops over raw memory. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <Eigen/Core>

#include "compare.hpp"

using namespace tenon;

using Vector = Eigen::Map<Eigen::ArrayXf>;
using Rows = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T>
Vector vector_of(T& tensor) {
  return Vector(tensor.mutable_data(), tensor.size());
}

void elementwise(std::int64_t n) {
  Float32<"n"> a = normal<Float32<"n">>(Key{1}, n), b = normal<Float32<"n">>(Key{2}, n);
  Float32<"n"> c = normal<Float32<"n">>(Key{3}, n), ours, peer = zeros<Float32<"n">>(n);
  auto const x = vector_of(a), y = vector_of(b), z = vector_of(c);
  auto out = vector_of(peer);
  auto const compare = [&](char const* work, auto const& f, auto const& g) {
    double const speed = bench::speedup([&] { ours = f(); }, g);
    bench::line(work, "Eigen expression", speed, bench::difference(ours.data(), out.data(), n));
  };
  compare(
      "relu(a * b + c)", [&] { return Float32<"n">(relu(a * b + c)); },
      [&] { out = (x * y + z).max(0.0f); });
  compare(
      "tanh(a) * sigmoid(b) + c", [&] { return Float32<"n">(tanh(a) * sigmoid(b) + c); },
      [&] { out = x.tanh() * (1.0f / (1.0f + (-y).exp())) + z; });
  compare(
      "exp(a)", [&] { return Float32<"n">(exp(a)); }, [&] { out = x.exp(); });
}

/// Softmax of one row, as one would write it by hand.
auto const softmax_row = [](auto from, auto to) {
  to = (from - from.maxCoeff()).exp();
  to *= 1.0f / to.sum();
};

auto const layer_norm_row = [](auto from, auto to) {
  float const mean = from.mean(), variance = (from - mean).square().mean();
  to = (from - mean) * (1.0f / std::sqrt(variance + 1e-5f));
};

void rows(std::int64_t count, std::int64_t width) {
  Float32<"b d"> x = normal<Float32<"b d">>(Key{4}, count, width), ours;
  Float32<"b d"> peer = zeros<Float32<"b d">>(count, width);
  Rows const in(x.mutable_data(), count, width);
  Rows out(peer.mutable_data(), count, width);
  auto const compare = [&](char const* work, auto const& f, auto const& by_hand) {
    auto const all_rows = [&] {
      for (std::int64_t i = 0; i < count; ++i) by_hand(in.row(i), out.row(i));
    };
    double const speed = bench::speedup([&] { ours = f(); }, all_rows);
    bench::line(work, "Eigen, row loop by hand", speed,
                bench::difference(ours.data(), peer.data(), ours.size()));
  };
  compare(
      "softmax, 512 x 1024", [&] { return eval(softmax<"d">(x)); }, softmax_row);
  auto const norm = [&] { return eval((x - mean<"d">(x)) * rsqrt(var<"d">(x) + 1e-5f)); };
  compare("layer norm, 512 x 1024", norm, layer_norm_row);
}

void product(std::int64_t n) {
  using Matrix = Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  auto a = normal<Float32<"m k">>(Key{5}, n, n);
  auto b = normal<Float32<"k n">>(Key{6}, n, n);
  auto c = normal<Float32<"n">>(Key{7}, n);
  Float32<"m n"> ours, peer = zeros<Float32<"m n">>(n, n);
  Matrix const x(a.mutable_data(), n, n), y(b.mutable_data(), n, n);
  Matrix out(peer.mutable_data(), n, n);
  auto const bias = vector_of(c);
  double const speed = bench::speedup([&] { ours = relu(matmul(a, b) + c); },
                                      [&] {
                                        out.noalias() = x * y;
                                        out.array().rowwise() += bias.transpose();
                                        out = out.cwiseMax(0.0f);
                                      });
  bench::line("relu(matmul(a, b) + c), 512 x 512", "Eigen, three statements", speed,
              bench::difference(ours.data(), peer.data(), ours.size()));
}

int main() {
  set_threads(1);
  bench::header();
  elementwise(100'000);
  rows(512, 1024);
  product(512);
}
