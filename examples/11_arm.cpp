// Inverse kinematics of an arm with two links: the angles that bring its hand to a point. Small
// tensors are inline, and the memory of a recording is reused: no step allocates system memory.

#include <cmath>
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

using Angles = Float64<"joint=2">;  // of each joint, relative to the link before it
using Point = Float64<"space=2">;

constexpr Float64<"link=2"> lengths{0.8, 0.5};
constexpr Float64<"link=2 joint=2"> turns{{1, 0}, {1, 1}};  // a joint turns all links after it

/// The position of the hand.
Point hand(Angles const& angle) {
  Float64<"link=2"> const heading = matmul(turns, angle);
  return stack<"space">(sum(lengths * cos(heading)), sum(lengths * sin(heading)));
}

/// The derivative of the position with respect to the angles: "space=2 joint=2".
auto jacobian(Angles const& angle) {
  auto const row = [&](int i) { return grad([i](Angles const& a) { return hand(a)[i]; })(angle); };
  return stack<"space">(row(0), row(1));
}

/// A step of damped least squares, where `way` is the displacement of the target from the hand.
/// Damping limits the step where the arm is stretched and the Jacobian is singular; it vanishes
/// with the displacement (Sugihara, 2011).
Angles step(Angles const& angle, Point const& way) {
  auto const j = jacobian(angle);
  auto const product = einsum<"space row, space joint -> row joint">(j, j);
  auto const damped = product + sum(square(way)) / 2 * eye<Float64<"row=2 joint=2">>();
  return linalg::solve(damped, einsum<"space row, space -> row">(j, way));
}

/// The same by trigonometry, for an arm of two links: the law of cosines gives the elbow.
Angles by_formula(Point const& target) {
  double const x = target(0), y = target(1), a = lengths(0), b = lengths(1);
  double const elbow = std::acos((x * x + y * y - a * a - b * b) / (2 * a * b));
  double const inside = std::atan2(b * std::sin(elbow), a + b * std::cos(elbow));
  return {std::atan2(y, x) - inside, elbow};
}

int main() {
  Point const target{0.5, 0.9};
  Angles angle{0.1, 0.1};  // nearly stretched out
  double away = 1;
  std::int64_t allocations = 0;
  for (int i = 0; i < 8; ++i) {
    auto const way = eval(target - hand(angle));
    away = norm(way).item();
    std::printf("step %d: the hand is %.1e away, the angles are %8.5f and %8.5f\n", i, away,
                angle(0), angle(1));
    angle += step(angle, way);
    if (i == 0) allocations = memory::system_allocations();
  }
  auto const expected = by_formula(target);
  std::printf("by the formula the angles are      %8.5f and %8.5f\n", expected(0), expected(1));
  bool const stays = memory::system_allocations() == allocations;
  return away < 1e-6 && allclose(angle, expected) && stays ? 0 : 1;
}
