// Bodies that attract each other: forces between all pairs by broadcasting, orbits by leapfrog, and
// the derivative of the end of an orbit with respect to its beginning.

#include <cmath>
#include <cstdio>
#include <numbers>

#include <tenon/tenon.hpp>

using namespace tenon;

using Vectors = Float64<"body space=2">;
using Masses = Float64<"body">;

struct Bodies {
  Vectors position;
  Vectors velocity;
};

/// The displacement from each body to each other one: "body other space=2".
auto ways(Vectors const& position) {
  auto const from = rearrange<"body space -> body 1 space">(position);
  return rename<"body -> other">(position) - from;
}

/// One on the diagonal, for each body and itself. The displacement is zero there, so any distance
/// except 0 is valid.
auto itself(Masses const& mass) {
  return eye<Float64<"body other">>(size<"body">(mass), size<"body">(mass));
}

/// Each body is accelerated to every other one by its mass over the square of their distance (G =
/// 1).
Vectors acceleration(Vectors const& position, Masses const& mass) {
  auto const way = ways(position);
  auto const distance = sqrt(sum<"space">(square(way)) + itself(mass));  // "body other"
  auto const pull = rename<"body -> other">(mass) / (distance * distance * distance);
  return einsum<"body other, body other space -> body space">(pull, way);
}

/// Leapfrog: half a kick, a drift, half a kick. It is symplectic: the energy error stays bounded.
Bodies later(Bodies b, Masses const& mass, double time, int steps) {
  double const dt = time / steps;
  for (int i = 0; i < steps; ++i) {
    b.velocity += dt / 2 * acceleration(b.position, mass);
    b.position += dt * b.velocity;
    b.velocity += dt / 2 * acceleration(b.position, mass);
  }
  return b;
}

double energy(Bodies const& b, Masses const& mass) {
  auto const distance = sqrt(sum<"space">(square(ways(b.position))) + itself(mass));
  auto const pairs = rearrange<"body -> body 1">(mass) * rename<"body -> other">(mass);
  auto const potential = sum(pairs * (itself(mass) - 1) / distance) / 2;
  return (sum(mass * sum<"space">(square(b.velocity))) / 2 + potential).item();
}

Float64<"space=2"> momentum(Bodies const& b, Masses const& mass) {
  return einsum<"body, body space -> space">(mass, b.velocity);
}

constexpr double period = 2 * std::numbers::pi;
constexpr int steps = 1000;

/// The bodies on an ellipse around each other with semi-major axis 1, at their closest point. With
/// masses that sum to 1 its period is 2 pi.
Bodies on_ellipse(double eccentricity, Masses const& mass) {
  double const apart = 1 - eccentricity, speed = std::sqrt((1 + eccentricity) / apart);
  double const light = mass(1), heavy = mass(0);
  return {{{-light * apart, 0}, {heavy * apart, 0}}, {{0, -light * speed}, {0, heavy * speed}}};
}

/// After one period: the derivative of the second coordinate of the displacement between the bodies
/// with respect to each of the initial velocities.
Vectors derivative(Bodies const& start, Masses const& mass) {
  return grad([&](Vectors const& velocity) {
    auto const end = later({start.position, velocity}, mass, period, steps).position;
    auto const apart = eval(end[1] - end[0]);
    return apart[1];
  })(start.velocity);
}

int main() {
  Masses const mass{0.9, 0.1};
  auto const start = on_ellipse(0.3, mass), end = later(start, mass, period, steps);
  double const miss = max(abs(end.position - start.position)).item();
  double const gained = energy(end, mass) - energy(start, mass);
  double const pushed = max(abs(momentum(end, mass) - momentum(start, mass))).item();
  std::printf("after a period the bodies are off by %.1e\n", miss);
  std::printf("energy %.6f, gained %.0e; momentum gained %.0e\n", energy(end, mass), gained,
              pushed);

  // With a velocity larger by dv, the orbit takes 3 v dv periods longer (Kepler's third law), and
  // the bodies are behind by that time: the derivative is -3 v^2 times the period for one body, the
  // opposite for the other.
  double const speed = start.velocity(1, 1) - start.velocity(0, 1);
  double const expected = -3 * period * speed * speed;
  auto const derivatives = derivative(start, mass);
  std::printf("derivative of where they are: %.4f and %.4f; by Kepler %.4f\n", derivatives(0, 1),
              derivatives(1, 1), expected);
  bool const right = miss < 1e-3 && std::abs(gained) < 1e-9 && pushed < 1e-14 &&
                     std::abs(derivatives(1, 1) / expected - 1) < 1e-3 &&
                     std::abs(derivatives(0, 1) + derivatives(1, 1)) < 1e-9;
  return right ? 0 : 1;
}
