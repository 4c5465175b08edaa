// An extended Kalman filter: small matrices with named axes, which are kept in registers and
// allocate no memory.

#include <cmath>
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

using State = Float64<"state=4">;  // position x, y; velocity x, y
using Covariance = Float64<"state=4 state=4">;
using Reading = Float64<"sensor=2">;
using Noise = Float64<"sensor=2 sensor=2">;
using Jacobian = Float64<"sensor=2 state=4">;

struct Belief {
  State mean;
  Covariance covariance;
};

// The expected reading of a sensor in a state, and its Jacobian.
struct Expected {
  Reading reading;
  Jacobian jacobian;
};

// The motion of the state in one second: the velocity is added to the position.
Covariance const motion{{1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, 1}};

Belief predicted(Belief const& now, Covariance const& drift) {
  Covariance const moved = matmul(motion, now.covariance);
  return {matmul(motion, now.mean), matmul(moved, transpose(motion)) + drift};
}

// The axis names distinguish the two spaces: solve(spread, ...) accepts "sensor", not "state".
Belief corrected(Belief const& before, Reading const& read, Expected const& expected,
                 Noise const& noise) {
  Jacobian const seen = matmul(expected.jacobian, before.covariance);
  Noise const spread = matmul(seen, transpose(expected.jacobian)) + noise;
  Jacobian const gain = linalg::solve(spread, seen);  // transposed: "sensor state"
  Reading const surprise = read - expected.reading;
  State const mean = before.mean + matmul(surprise, gain);
  Covariance const covariance = before.covariance - matmul(transpose(gain), seen);
  return {mean, covariance};
}

// A sensor at the origin that measures distance and direction.
Expected radar(State const& x) {
  double const px = x(0), py = x(1), distance = std::hypot(px, py), square = px * px + py * py;
  return {{distance, std::atan2(py, px)},
          {{px / distance, py / distance, 0, 0}, {-py / square, px / square, 0, 0}}};
}

// A sensor that measures the position: the filter is the linear Kalman filter, with a closed
// formula.
Expected position(State const& x) { return {{x(0), x(1)}, {{1, 0, 0, 0}, {0, 1, 0, 0}}}; }

double apart(auto const& a, auto const& b) { return max(abs(a - b)).item(); }

// Without process noise the filter equals least squares over all readings: the sum of jacobianᵀ
// jacobian / variance over the past is the inverse of the covariance.
bool agrees_with_least_squares() {
  Noise const noise{{0.5, 0}, {0, 0.5}};
  Belief belief{{0, 0, 1, 1}, 4.0 * eye<Covariance>()};
  Covariance information = linalg::inverse(belief.covariance);
  State weighted = matmul(information, belief.mean);
  Covariance const back = linalg::inverse(motion);
  for (int second = 1; second <= 10; ++second) {
    Reading const read{second + std::sin(second), 2.0 * second - std::cos(second)};
    belief = predicted(belief, Covariance());
    belief = corrected(belief, read, position(belief.mean), noise);
    Jacobian const jacobian = position(belief.mean).jacobian;
    Covariance const carried = matmul(information, back);
    information = matmul(transpose(back), carried) + 2.0 * matmul(transpose(jacobian), jacobian);
    weighted = matmul(weighted, back) + 2.0 * matmul(read, jacobian);
  }
  return apart(belief.covariance, linalg::inverse(information)) < 1e-9 &&
         apart(belief.mean, linalg::solve(information, weighted)) < 1e-9;
}

int main() {
  Covariance const drift = 1e-4 * eye<Covariance>();
  Noise const noise{{0.01, 0}, {0, 1e-4}};
  State truth{10, 5, -0.5, 0.25};
  Belief belief{{9, 6, 0, 0}, eye<Covariance>()};
  std::int64_t const before = memory::system_allocations() + memory::bytes_in_use();
  for (int second = 1; second <= 30; ++second) {
    truth = matmul(motion, truth);
    Reading const error{0.1 * std::sin(7.0 * second), 0.01 * std::cos(5.0 * second)};
    Reading const read = radar(truth).reading + error;
    belief = predicted(belief, drift);
    belief = corrected(belief, read, radar(belief.mean), noise);
    if (second % 10 == 0)
      std::printf("second %2d: at %6.2f %6.2f, off by %.3f\n", second, belief.mean(0),
                  belief.mean(1), apart(belief.mean, truth));
  }
  bool const quiet = before == memory::system_allocations() + memory::bytes_in_use();
  std::printf("memory asked for in 30 steps: %s\n", quiet ? "none" : "some");
  bool const agrees = agrees_with_least_squares();
  std::printf("least squares over all readings %s\n", agrees ? "agrees" : "does not agree");
  return quiet && agrees && apart(belief.mean, truth) < 0.3 ? 0 : 1;
}
