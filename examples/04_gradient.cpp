// Gradients: of any function, with respect to any plain struct of tensors.

#include <cmath>
#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

struct Ellipse {
  Float64<"axis=2"> centre;
  Float64<""> size;  // a scalar
};

int main() {
  // The gradient of sum x^3 is 3 x^2.
  Float64<"n"> const x{1, 2, 3};
  auto const derivative = grad([](auto const& v) { return sum(v * v * v); })(x);
  std::cout << "3 x^2 at " << x << " is " << derivative << "\n";

  // Value and gradient together. The gradient of a struct is a struct of the same type.
  Ellipse const ellipse{{1.0, -2.0}, 3.0};
  auto const energy = [](Ellipse const& e) { return e.size * sum(square(e.centre)); };
  auto const [value, gradient] = value_and_grad(energy)(ellipse);
  std::cout << "energy " << value.item() << ", d centre " << gradient.centre << ", d size "
            << gradient.size.item() << "\n";

  // Compared with a difference quotient.
  Ellipse nudged = ellipse;
  double const h = 1e-6;
  nudged.centre(0) += h;
  double const quotient = (energy(nudged).item() - value.item()) / h;
  std::cout << "d centre(0) by a difference quotient: " << quotient << "\n";

  // stop_gradient makes a part of a formula a constant: x times it has the gradient x.
  auto const half = grad([](auto const& v) { return sum(v * stop_gradient(v)); })(x);

  // The transposed Jacobian times a vector: the vector-Jacobian product of a function with many
  // results.
  auto [y, pull] = vjp([](auto const& v) { return eval(sin(v)); }, x);
  auto const pulled = pull(ones<Float64<"n">>(3));
  std::cout << "cos x is " << pulled << "\n";

  bool const right = derivative(2) == 27 && std::abs(quotient - gradient.centre(0)) < 1e-4 &&
                     half(1) == 2 && std::abs(pulled(0) - std::cos(1.0)) < 1e-12;
  return right ? 0 : 1;
}
