// The length and the damping of a pendulum from noisy angles: the least squares of a differential
// equation, whose gradient goes through its solution. The score is the error of both.
// test-long

#include <cmath>
#include <cstdio>

#include <tenon/integrate.hpp>
#include <tenon/optim.hpp>

using namespace tenon;

using State = Float64<"state=2">;  // the angle, and its speed
using Times = Float64<"time=41">;
using Angles = Float64<"time=41">;

constexpr double gravity = 9.81;

// Logarithms, so that every step of the search has a positive length and a positive damping.
struct Pendulum {
  Float64<""> log_length;
  Float64<""> log_damping;
};

// The solution for a start at rest. Errors of its steps are below those of the noise by far.
Angles angles(Pendulum const& pendulum, Times const& times) {
  auto const derivative = [](State const& y, double, Pendulum const& p) -> State {
    auto const angle = slice<"state", 0, 1>(y), speed = slice<"state", 1, 2>(y);
    auto const acceleration =
        eval(-exp(p.log_damping) * speed - gravity * exp(-p.log_length) * sin(angle));
    return concat<"state">(speed, acceleration);
  };
  OdeOptions const options{.rtol = 1e-7, .atol = 1e-7};
  auto const solution = odeint(options, derivative, State{1.2, 0}, times, pendulum);
  return take<"state">(solution, 0);
}

Pendulum pendulum_of(double length, double damping) {
  return {Float64<"">(std::log(length)), Float64<"">(std::log(damping))};
}

int main() {
  constexpr double length = 0.8, damping = 0.25;
  Times const times = linspace<Times>(0, 4);
  Angles const noise = normal<Angles>(Key{1}, 0, 0.01);
  Angles const measured = angles(pendulum_of(length, damping), times) + noise;

  auto const misfit = [&](Pendulum const& p) { return mean(square(angles(p, times) - measured)); };
  auto const found = minimize(misfit, pendulum_of(1, 0.1), {.gtol = 1e-8, .ftol = 0});
  double const found_length = std::exp(found.x.log_length.item());
  double const found_damping = std::exp(found.x.log_damping.item());
  std::printf("%s, after %d iterations\n", found.message.c_str(), int(found.iterations));
  std::printf("length %.4f m of %.4f, damping %.4f / s of %.4f\n", found_length, length,
              found_damping, damping);
  std::printf("misfit %.4f rad, noise 0.0100\n", std::sqrt(found.value));

  // 41 angles with an error of 0.01: both parameters are known to about a percent.
  double const score =
      std::fmax(std::abs(found_length / length - 1), std::abs(found_damping / damping - 1));
  std::printf("the larger error is %.2f %%\n", 100 * score);
  return found.gradient_norm < 1e-6 && score < 0.02 ? 0 : 1;
}
