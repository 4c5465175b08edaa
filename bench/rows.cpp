// Softmax, log-sum-exp, layer norm and cross-entropy, written as formulas, forward and backward,
// for short and long rows: compared with loops over rows written by hand with Eigen's arrays, with
// Eigen's expressions over the whole, and with libtorch if CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <Eigen/Core>
#include <string>

#include "compare.hpp"
#include "peers/torch_rows.hpp"

using namespace tenon;

using Matrix = Float32<"b d">;
using Vector = Float32<"b">;
using Rows = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using Column = Eigen::Map<Eigen::ArrayXf>;

/// Inputs, and the results of Tenon and the peers.
struct Bench {
  std::int64_t count, width;
  Matrix x, weight, ours, peer, temporary;
  Vector our_values, peer_values;
  Int32<"b"> labels;

  Bench(std::int64_t b, std::int64_t d)
      : count(b),
        width(d),
        x(normal<Matrix>(Key{1}, b, d)),
        weight(normal<Matrix>(Key{2}, b, d)),
        ours(zeros<Matrix>(b, d)),
        peer(zeros<Matrix>(b, d)),
        temporary(zeros<Matrix>(b, d)),
        our_values(zeros<Vector>(b)),
        peer_values(zeros<Vector>(b)),
        labels(zeros<Int32<"b">>(b)) {
    for (std::int64_t i = 0; i < b; ++i) labels(i) = static_cast<std::int32_t>(i * 37 % d);
  }

  Rows rows(Matrix& m) const { return Rows(m.own_memory(), count, width); }
  Column values() { return Column(peer_values.own_memory(), count); }

  template <class F, class G>
  void against(char const* work, char const* name, F const& f, G const& g, Matrix const&) {
    print(work, name, bench::compared(f, g), bench::difference(ours.data(), peer.data(), x.size()));
  }
  template <class F, class G>
  void against(char const* work, char const* name, F const& f, G const& g, Vector const&) {
    print(work, name, bench::compared(f, g),
          bench::difference(our_values.data(), peer_values.data(), count));
  }
  void print(char const* work, char const* name, bench::Pair const& pair, double differs) const {
    std::string const title =
        std::string(work) + ", " + std::to_string(count) + " x " + std::to_string(width);
    bench::line_of_elements(title.c_str(), name, x.size(), pair, differs);
  }
};

template <class F>
auto each_row(Bench& bench, F const& f) {
  return [&bench, f] {
    auto const in = bench.rows(bench.x);
    auto out = bench.rows(bench.peer);
    for (Eigen::Index i = 0; i < in.rows(); ++i) f(in.row(i), out.row(i), i);
  };
}

void softmax_forward(Bench& b) {
  auto const ours = [&] {
    auto const e = exp(b.x - max<"d">(b.x));
    b.ours = e / sum<"d">(e);
  };
  b.against("softmax", "Eigen, rows by hand", ours,
            each_row(b,
                     [](auto from, auto to, auto) {
                       to = (from - from.maxCoeff()).exp();
                       to *= 1.0f / to.sum();
                     }),
            b.ours);
  auto in = b.rows(b.x), out = b.rows(b.peer);
  auto const expression = [&] {
    out = (in.colwise() - in.rowwise().maxCoeff()).exp();
    out.colwise() /= out.rowwise().sum().eval();
  };
  b.against("softmax", "Eigen expression", ours, expression, b.ours);
  if (torch_rows::found)
    b.against("softmax", "libtorch", ours, torch_rows::softmax({b.x, b.weight, b.peer}), b.ours);
}

void log_sum_exp_forward(Bench& b) {
  auto const ours = [&] {
    auto const top = max<"d">(b.x);
    b.our_values = log(sum<"d">(exp(b.x - top))) + top;
  };
  b.against("log-sum-exp", "Eigen, rows by hand", ours,
            each_row(b,
                     [&b](auto from, auto, auto i) {
                       float const top = from.maxCoeff();
                       b.peer_values(i) = std::log((from - top).exp().sum()) + top;
                     }),
            b.our_values);
  auto const expression = [&b, in = b.rows(b.x)] {
    Eigen::ArrayXf const top = in.rowwise().maxCoeff();
    b.values() = (in.colwise() - top).exp().rowwise().sum().log() + top;
  };
  b.against("log-sum-exp", "Eigen expression", ours, expression, b.our_values);
  if (torch_rows::found)
    b.against("log-sum-exp", "libtorch", ours,
              torch_rows::log_sum_exp({b.x, b.weight, b.peer_values}), b.our_values);
}

void layer_norm_forward(Bench& b) {
  auto const ours = [&] {
    auto const centred = b.x - mean<"d">(b.x);
    b.ours = centred * rsqrt(mean<"d">(square(centred)) + 1e-5f);
  };
  b.against("layer norm", "Eigen, rows by hand", ours,
            each_row(b,
                     [](auto from, auto to, auto) {
                       float const mean = from.mean(), variance = (from - mean).square().mean();
                       to = (from - mean) * (1.0f / std::sqrt(variance + 1e-5f));
                     }),
            b.ours);
  auto in = b.rows(b.x), out = b.rows(b.peer);
  auto const expression = [&] {
    out = in.colwise() - in.rowwise().mean();
    out.colwise() *= (out.square().rowwise().mean() + 1e-5f).rsqrt().eval();
  };
  b.against("layer norm", "Eigen expression", ours, expression, b.ours);
  if (torch_rows::found)
    b.against("layer norm", "libtorch", ours, torch_rows::layer_norm({b.x, b.weight, b.peer}),
              b.ours);
}

/// Tenon's gradients of the scalar `f` with respect to the input.
template <class F>
auto gradient(Bench& b, F const& f) {
  return [&b, f] { std::tie(std::ignore, b.ours) = value_and_grad(f)(b.x); };
}

void softmax_backward(Bench& b) {
  auto const ours = gradient(b, [&](Matrix const& x) {
    auto const e = exp(x - stop_gradient(max<"d">(x)));
    return sum(b.weight * (e / sum<"d">(e)));
  });
  auto const weight = b.rows(b.weight);
  b.against("softmax and gradient", "Eigen, rows by hand", ours,
            each_row(b,
                     [weight](auto from, auto to, auto i) {
                       to = (from - from.maxCoeff()).exp();
                       to *= 1.0f / to.sum();
                       to *= weight.row(i) - (to * weight.row(i)).sum();
                     }),
            b.ours);
  if (torch_rows::found)
    b.against("softmax and gradient", "libtorch", ours,
              torch_rows::softmax_gradient({b.x, b.weight, b.peer}), b.ours);
}

void layer_norm_backward(Bench& b) {
  auto const ours = gradient(b, [&](Matrix const& x) {
    auto const centred = x - mean<"d">(x);
    return sum(b.weight * (centred * rsqrt(mean<"d">(square(centred)) + 1e-5f)));
  });
  auto const weight = b.rows(b.weight);
  b.against("layer norm and gradient", "Eigen, rows by hand", ours,
            each_row(b,
                     [weight](auto from, auto to, auto i) {
                       auto const w = weight.row(i);
                       float const mean = from.mean(), variance = (from - mean).square().mean();
                       float const scale = 1.0f / std::sqrt(variance + 1e-5f);
                       to = (from - mean) * scale;
                       float const slope = (to * w).mean(), shift = w.mean();
                       to = (w - shift - to * slope) * scale;
                     }),
            b.ours);
  if (torch_rows::found)
    b.against("layer norm and gradient", "libtorch", ours,
              torch_rows::layer_norm_gradient({b.x, b.weight, b.peer}), b.ours);
}

void cross_entropy_backward(Bench& b) {
  auto const ours = gradient(b, [&](Matrix const& x) {
    auto const top = stop_gradient(max<"d">(x));
    return mean(log(sum<"d">(exp(x - top))) + top - pick<"d">(x, b.labels));
  });
  auto const share = 1.0f / static_cast<float>(b.count);
  b.against("cross-entropy and gradient", "Eigen, rows by hand", ours,
            each_row(b,
                     [&b, share](auto from, auto to, auto i) {
                       float const top = from.maxCoeff();
                       to = (from - top).exp();
                       float const sum = to.sum();
                       b.peer_values(i) = std::log(sum) + top - from[b.labels(i)];
                       to *= share / sum;
                       to[b.labels(i)] -= share;
                     }),
            b.ours);
  if (torch_rows::found)
    b.against("cross-entropy and gradient", "libtorch", ours,
              torch_rows::cross_entropy_gradient({b.x, b.weight, b.peer}, b.labels.data()), b.ours);
}

int main(int count, char** words) {
  set_threads(1);
  bench::header_of_elements();
  std::int64_t const only = count > 1 ? std::stoll(words[1]) : 0;
  for (auto const& [rows, width] :
       {std::pair{512, 1024}, {5120, 100}, {512, 1000}, {128, 4096}, {10, 50000}}) {
    if (only != 0 && only != width) continue;
    Bench bench(rows, width);
    softmax_forward(bench);
    log_sum_exp_forward(bench);
    layer_norm_forward(bench);
    softmax_backward(bench);
    layer_norm_backward(bench);
    cross_entropy_backward(bench);
  }
}
