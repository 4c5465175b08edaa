// The heat equation of a rod, integrated in time. The conductivity of the rod is then found from
// its temperatures at the end, by a gradient through all steps.

#include <cmath>
#include <cstdio>
#include <numbers>

#include <tenon/tenon.hpp>

using namespace tenon;

using Rod = Float64<"x">;  // temperatures between two ends that are kept at zero
using Scalar = Float64<"">;

constexpr int points = 63, steps = 400;

/// One step in time of the heat equation.
Rod next(Rod const& u, Scalar const& conductivity) {
  auto const whole = pad<"x", 1, 1>(u);  // "x+2": with both ends
  auto const left = slice<0, 0, -2>(whole), right = slice<0, 2, to_end>(whole);
  return u + conductivity * (left - 2 * u + right);
}

Rod later(Rod u, Scalar const& conductivity, int count) {
  for (int i = 0; i < count; ++i) u = next(u, conductivity);
  return u;
}

/// The same with checkpoints: a gradient stores every 20th rod and recomputes those between them.
Rod much_later(Rod u, Scalar const& conductivity, int count) {
  for (int i = 0; i < count; i += 20) u = checkpoint(later)(u, conductivity, 20);
  return u;
}

/// A sine remains a sine: this formula gives its amplitude after all steps, and the derivative of
/// that with respect to the conductivity.
struct Sine {
  double const wave = std::numbers::pi / (points + 1);
  double const decay = 4 * std::pow(std::sin(wave / 2), 2);

  Rod start() const { return sin(wave * (iota<Rod>(points) + 1)); }
  double left(double c) const { return std::pow(1 - decay * c, steps); }
  double derivative(double c) const { return -steps * decay * std::pow(1 - decay * c, steps - 1); }
};

/// Differentiates the final temperature, and prints the memory that the recording uses.
template <class F>
double derivative_by(char const* name, F const& through_time, double conductivity) {
  std::int64_t kept = 0;
  auto const derivative = grad([&](Scalar const& c) {
    auto const before = memory::bytes_in_use();
    Rod const end = through_time(Sine().start(), c, steps);
    kept = memory::bytes_in_use() - before;
    return max(end);
  })(Scalar(conductivity));
  std::printf("derivative %.9f by %-10s, which keeps %4lld KiB\n", derivative.item(), name,
              static_cast<long long>(kept / 1024));
  return derivative.item();
}

/// The conductivity for a measured rod, by gradient descent on the squared difference.
double conductivity_of(Rod const& measured) {
  Scalar guess = 0.1;
  for (int i = 0; i <= 25; ++i) {
    auto const [loss, derivative] = value_and_grad([&](Scalar const& c) {
      return mse_loss(much_later(Sine().start(), c, steps), measured);
    })(guess);
    if (i % 5 == 0) std::printf("conductivity %.7f, loss %.0e\n", guess.item(), loss.item());
    guess -= derivative;
  }
  return guess.item();
}

int main() {
  Sine const sine;
  double const truth = 0.3;
  Rod const measured = later(sine.start(), truth, steps);
  double const error = max(abs(measured - sine.left(truth) * sine.start())).item();
  std::printf("after %d steps the middle is at %.6f, off the formula by %.0e\n", steps,
              measured(points / 2), error);

  double const derivative = derivative_by("later", later, truth);
  double const again = derivative_by("much_later", much_later, truth);
  std::printf("derivative %.9f by the formula\n", sine.derivative(truth));

  double const found = conductivity_of(measured);
  bool const right = error < 1e-12 && std::abs(derivative - sine.derivative(truth)) < 1e-11 &&
                     std::abs(again - derivative) < 1e-14 && std::abs(found - truth) < 1e-6;
  return right ? 0 : 1;
}
