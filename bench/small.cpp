// Small tensors whose sizes the compiler knows: products, maps, one step of a Kalman filter and a
// gradient, beside Eigen's fixed-size matrices and beside loops written by hand, which are the
// limit. One thread.
#include <tenon/tenon.hpp>

#include <Eigen/Dense>

#include "small.hpp"

using namespace tenon;

template <class T, int m, int n>
using Fixed = Eigen::Matrix<T, m, n, n == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

/// Numbers that the compiler does not know.
template <class X>
X filled(double shift) {
  X x{};
  for (int i = 0; i < X::shape[0].size; ++i) (void)i;
  auto* const to = x.mutable_data();
  for (std::int64_t i = 0; i < x.size(); ++i)
    to[i] = static_cast<typename X::value_type>(std::sin(1.7 * double(i) + shift));
  return x;
}

template <class T, int n>
void by_hand(T const* __restrict a, T const* __restrict b, T* __restrict c) {
  for (int i = 0; i < n; ++i) {
    T row[n]{};
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) row[j] += a[i * n + k] * b[k * n + j];
    for (int j = 0; j < n; ++j) c[i * n + j] = row[j];
  }
}

template <class X, int n>
void product(char const* name) {
  using T = typename X::value_type;
  X a = filled<X>(0), b = filled<X>(1), c{};
  Fixed<T, n, n> x(a.data()), y(b.data()), z;
  X d{};
  auto const ours = [&] { small::opaque(a, b), c = matmul(a, b), small::seen(c); };
  auto const eigen = [&] { small::opaque(x, y), z.noalias() = x * y, small::seen(z); };
  auto const hand = [&] {
    small::opaque(a, b), by_hand<T, n>(a.data(), b.data(), d.mutable_data()), small::seen(d);
  };
  small::compare(name, ours, eigen, hand, c.data(), z.data(), n * n);
}

template <class X, int n>
void transposed_product(char const* name) {
  using T = typename X::value_type;
  X a = filled<X>(0), b = filled<X>(1), c{};
  Fixed<T, n, n> x(a.data()), y(b.data()), z;
  auto const ours = [&] { small::opaque(a, b), c = matmul(a, transpose(b)), small::seen(c); };
  auto const eigen = [&] { small::opaque(x, y), z.noalias() = x * y.transpose(), small::seen(z); };
  small::compare(name, ours, eigen, eigen, c.data(), z.data(), n * n);
}

void maps() {
  using X = Float32<"16">;
  X a = filled<X>(0), b = filled<X>(1), c = filled<X>(2), r{}, s{};
  using Array = Eigen::Array<float, 16, 1>;
  Array x(Eigen::Map<Array>(a.mutable_data())), y(Eigen::Map<Array>(b.mutable_data())),
      z(Eigen::Map<Array>(c.mutable_data())), w;
  small::compare(
      "a + b, 16 floats", [&] { small::opaque(a, b), r = a + b, small::seen(r); },
      [&] { small::opaque(x, y), w = x + y, small::seen(w); },
      [&] {
        small::opaque(a, b);
        for (int i = 0; i < 16; ++i) s.mutable_data()[i] = a.data()[i] + b.data()[i];
        small::seen(s);
      },
      r.data(), w.data(), 16);
  small::compare(
      "relu(a * b + c), 16 floats",
      [&] { small::opaque(a, b), small::opaque(c, c), r = relu(a * b + c), small::seen(r); },
      [&] { small::opaque(x, y), small::opaque(z, z), w = (x * y + z).max(0), small::seen(w); },
      [&] {
        small::opaque(a, b), small::opaque(c, c);
        for (int i = 0; i < 16; ++i) {
          float const v = a.data()[i] * b.data()[i] + c.data()[i];
          s.mutable_data()[i] = v <= 0 ? 0 : v;
        }
        small::seen(s);
      },
      r.data(), w.data(), 16);
  auto const eigen_exp = [&] { small::opaque(x, y), w = x.exp(), small::seen(w); };
  small::compare(
      "exp(a), 16 floats", [&] { small::opaque(a, b), r = exp(a), small::seen(r); }, eigen_exp,
      eigen_exp, r.data(), w.data(), 16);
  Float32<""> t{}, u{};
  float v{};
  small::compare(
      "sum(a * b), 16 floats", [&] { small::opaque(a, b), t = sum(a * b), small::seen(t); },
      [&] { small::opaque(x, y), v = (x * y).sum(), small::seen(v); },
      [&] {
        small::opaque(a, b);
        float p[8]{};
        for (int i = 0; i < 16; ++i) p[i % 8] += a.data()[i] * b.data()[i];
        u = Float32<"">(((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7])));
        small::seen(u);
      },
      t.data(), &v, 1);
  auto const eigen_softmax = [&] {
    small::opaque(x, y), w = (x - x.maxCoeff()).exp(), w /= w.sum(), small::seen(w);
  };
  small::compare(
      "softmax(a), 16 floats", [&] { small::opaque(a, b), r = softmax<0>(a), small::seen(r); },
      eigen_softmax, eigen_softmax, r.data(), w.data(), 16);
  Float32<"4 4"> m = filled<Float32<"4 4">>(0), k{};
  Fixed<float, 4, 4> e(m.data()), f;
  auto const eigen_sum = [&] { small::opaque(e, e), f = e + e.transpose(), small::seen(f); };
  small::compare(
      "m + transpose(m), 4 x 4",
      [&] { small::opaque(m, m), k = m + transpose(m), small::seen(k); }, eigen_sum, eigen_sum,
      k.data(), f.data(), 16);
}

using State = Float64<"state=4">;
using Covariance = Float64<"state=4 state=4">;
using Reading = Float64<"sensor=2">;
using Noise = Float64<"sensor=2 sensor=2">;
using Slope = Float64<"sensor=2 state=4">;

/// One step of an extended Kalman filter: four states, two readings.
struct Filter {
  Covariance motion{{1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  Covariance covariance = eye<Covariance>(), drift = 1e-3 * eye<Covariance>();
  State mean{10, 5, -0.5, 0.25};
  Reading read{11, 0.5}, expected{10.9, 0.51};
  Slope slope{{0.9, 0.4, 0, 0}, {-0.04, 0.08, 0, 0}};
  Noise noise{{0.01, 0}, {0, 1e-4}};

  void step() {
    mean = matmul(motion, mean);
    Covariance const moved = matmul(motion, covariance);
    Covariance const before = matmul(moved, transpose(motion)) + drift;
    Slope const seen = matmul(slope, before);
    Noise const spread = matmul(seen, transpose(slope)) + noise;
    Slope const gain = linalg::solve(spread, seen);
    mean = mean + matmul(Reading(read - expected), gain);
    covariance = before - matmul(transpose(gain), seen);
  }
};

struct EigenFilter {
  Fixed<double, 4, 4> motion, covariance, drift;
  Fixed<double, 4, 1> mean;
  Fixed<double, 2, 1> read, expected;
  Fixed<double, 2, 4> slope;
  Fixed<double, 2, 2> noise;

  explicit EigenFilter(Filter const& f)
      : motion(f.motion.data()),
        covariance(f.covariance.data()),
        drift(f.drift.data()),
        mean(f.mean.data()),
        read(f.read.data()),
        expected(f.expected.data()),
        slope(f.slope.data()),
        noise(f.noise.data()) {}

  void step() {
    mean = motion * mean;
    Fixed<double, 4, 4> const before = motion * covariance * motion.transpose() + drift;
    Fixed<double, 2, 4> const seen = slope * before;
    Fixed<double, 2, 2> const spread = seen * slope.transpose() + noise;
    Fixed<double, 2, 4> const gain = spread.partialPivLu().solve(seen);
    mean += gain.transpose() * (read - expected);
    covariance = before - gain.transpose() * seen;
  }
};

void filter_step() {
  Filter ours, once;
  EigenFilter peer(ours), other(once);
  once.step();
  other.step();
  auto const eigen = [&] { small::opaque(peer, peer), peer.step(), small::seen(peer); };
  small::compare(
      "Kalman step, 4 states, 2 readings",
      [&] { small::opaque(ours, ours), ours.step(), small::seen(ours); }, eigen, eigen,
      once.covariance.data(), other.covariance.data(), 16);
}

/// The gradient of sum(tanh(a * x)²) with respect to 16 floats.
void gradient() {
  using X = Float32<"16">;
  X a = filled<X>(0), x = filled<X>(1), g{}, h{};
  auto const slope =
      grad([&](X const& y) { return sum(square(a * y - 1.0f)); });
  auto const hand = [&] {
    small::opaque(a, x);
    for (int i = 0; i < 16; ++i)
      h.mutable_data()[i] = 2 * (a.data()[i] * x.data()[i] - 1) * a.data()[i];
    small::seen(h);
  };
  small::compare(
      "grad of sum(square(a * x - 1)), 16", [&] { small::opaque(a, x), g = slope(x), small::seen(g); },
      hand, hand, g.data(), h.data(), 16);
}

int main() {
  set_threads(1);
  small::header();
  product<Float32<"3 3">, 3>("product, 3 x 3 floats");
  product<Float32<"4 4">, 4>("product, 4 x 4 floats");
  product<Float32<"8 8">, 8>("product, 8 x 8 floats");
  product<Float64<"3 3">, 3>("product, 3 x 3 doubles");
  product<Float64<"4 4">, 4>("product, 4 x 4 doubles");
  transposed_product<Float64<"4 4">, 4>("a bᵀ, 4 x 4 doubles");
  maps();
  filter_step();
  gradient();
}
