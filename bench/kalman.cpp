// One step of an extended Kalman filter with four states and two readings, compared with the same
// in Eigen's fixed-size matrices, and in libtorch if CMake found it. One thread.
#include <tenon/tenon.hpp>

#include <Eigen/Dense>

#include "peers/torch_kalman.hpp"
#include "small.hpp"

using namespace tenon;

using State = Float64<"state=4">;
using Covariance = Float64<"state=4 state=4">;
using Reading = Float64<"sensor=2">;
using Noise = Float64<"sensor=2 sensor=2">;
using Jacobian = Float64<"sensor=2 state=4">;

template <int m, int n>
using Fixed = Eigen::Matrix<double, m, n, n == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

/// The same inputs for both.
struct Filter {
  Covariance motion{{1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  Covariance covariance = eye<Covariance>(), drift = 1e-3 * eye<Covariance>();
  State mean{10, 5, -0.5, 0.25};
  Reading read{11, 0.5}, expected{10.9, 0.51};
  Jacobian jacobian{{0.9, 0.4, 0, 0}, {-0.04, 0.08, 0, 0}};
  Noise noise{{0.01, 0}, {0, 1e-4}};

  void step() {
    mean = matmul(motion, mean);
    Covariance const moved = matmul(motion, covariance);
    Covariance const before = matmul(moved, transpose(motion)) + drift;
    Jacobian const seen = matmul(jacobian, before);
    Noise const spread = matmul(seen, transpose(jacobian)) + noise;
    Jacobian const gain = linalg::solve(spread, seen);
    mean = mean + matmul(Reading(read - expected), gain);
    covariance = before - matmul(transpose(gain), seen);
  }
};

struct EigenFilter {
  Fixed<4, 4> motion, covariance, drift;
  Fixed<4, 1> mean;
  Fixed<2, 1> read, expected;
  Fixed<2, 4> jacobian;
  Fixed<2, 2> noise;

  explicit EigenFilter(Filter const& f)
      : motion(f.motion.data()),
        covariance(f.covariance.data()),
        drift(f.drift.data()),
        mean(f.mean.data()),
        read(f.read.data()),
        expected(f.expected.data()),
        jacobian(f.jacobian.data()),
        noise(f.noise.data()) {}

  void step() {
    mean = motion * mean;
    Fixed<4, 4> const before = motion * covariance * motion.transpose() + drift;
    Fixed<2, 4> const seen = jacobian * before;
    Fixed<2, 2> const spread = seen * jacobian.transpose() + noise;
    Fixed<2, 4> const gain = spread.partialPivLu().solve(seen);
    mean += gain.transpose() * (read - expected);
    covariance = before - gain.transpose() * seen;
  }
};

/// Inline: without libtorch it is not called, and its callees need not be defined.
inline void beside_torch(Filter filter) {
  auto const step = torch_kalman::step(
      {filter.motion.data(), filter.covariance.data(), filter.drift.data(), filter.mean.data(),
       filter.read.data(), filter.expected.data(), filter.jacobian.data(), filter.noise.data()});
  Filter once = filter;
  once.step();
  small::Results<double> const results{once.covariance.data(), step(), 16};
  double const differs = results.difference();
  Filter other = filter;
  double const ratio = bench::speedup(
      [&] { small::opaque(filter, other), filter.step(), small::seen(filter); }, [&] { step(); });
  bench::line("Kalman step, 4 states, 2 readings", "libtorch", ratio, differs);
}

int main() {
  set_threads(1);
  small::header();
  Filter ours, once;
  EigenFilter peer(ours), other(once);
  once.step();
  other.step();
  small::compare(
      "Kalman step, 4 states, 2 readings",
      [&] { small::opaque(ours, once), ours.step(), small::seen(ours); },
      [&] { small::opaque(peer, other), peer.step(), small::seen(peer); },
      small::Results<double>{once.covariance.data(), other.covariance.data(), 16});
  if constexpr (torch_kalman::found) beside_torch(Filter());
}
