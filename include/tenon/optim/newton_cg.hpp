#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <utility>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/optim/minimize.hpp>

/// The minimum of a function by products with its Hessian.
namespace tenon {

/// `minimize` by Newton's method, and when it ends: `minimize(f, x0, NewtonCG{})`.
struct NewtonCG {
  double gtol = 1e-5;          ///< Of the largest magnitude in the gradient.
  double ftol = 2.2204460e-9;  ///< Of the decrease, relative to the value, or to 1.
  std::int64_t max_iter = 15000;
  std::int64_t max_eval = 15000;     ///< Evaluations of the function with its gradient.
  std::int64_t max_products = 1000;  ///< With the Hessian, in an iteration.
};

}  // namespace tenon

namespace tenon::internal::optim {

/// The directions of Newton's method, by conjugate gradients until the residual is small beside the
/// gradient, or the curvature is not positive (Nocedal and Wright, algorithm 7.1).
template <class F, class Tree>
struct NewtonDirections {
  F const& f;
  std::int64_t max_products;
  bool is_next_steepest = false, is_steepest = false;

  Tree direction(LinePoint<Tree> const& now) {
    Tree const downwards = combine(-1, now.gradient, 0, now.gradient);
    is_steepest = std::exchange(is_next_steepest, false);
    if (is_steepest) return downwards;
    Tree step = combine(0, now.gradient, 0, now.gradient), residual = now.gradient;
    Tree along = downwards;
    double squares = scalar_product(residual, residual);
    double const allowed = squares * (std::min)(0.25, std::sqrt(squares));
    for (std::int64_t i = 0; i < max_products && squares > allowed; ++i) {
      Tree const product = hvp(f, now.model, along);
      double const curvature = scalar_product(along, product);
      if (!(curvature > 0)) return i == 0 ? downwards : step;
      double const length = squares / curvature;
      step = combine(1, std::move(step), length, along);
      residual = combine(1, std::move(residual), length, product);
      double const before = std::exchange(squares, scalar_product(residual, residual));
      along = combine(squares / before, std::move(along), -1, residual);
    }
    return step;
  }
  double first_length(LinePoint<Tree> const&) const { return 1; }
  void accept(LinePoint<Tree> const&, LinePoint<Tree> const&) const {}
  bool reset_direction() {
    is_next_steepest = true;
    return !is_steepest;
  }
};

/// `minimize` by Newton's method: its steps are found by conjugate gradients with products of the
/// Hessian, those of `hvp`, which are never a matrix. For functions whose second derivatives are
/// cheap, and whose minimum is wanted to many digits. The result and the errors are those of
/// `minimize`. SciPy: `optimize.minimize(method="Newton-CG")`.
template <class F, class Tree, std::same_as<NewtonCG> Options,
          TensorType Loss = LossOf<MinimizeName, F const&, Tree>>
MinimizeResult<Tree> minimize(F const& f, Tree const& x0, Options const& options) {
  return descend(f, x0, options, NewtonDirections<F, Tree>{f, options.max_products});
}
template <class F, class Tree, std::same_as<NewtonCG> Options,
          class Mistake = LossOf<MinimizeName, F const&, Tree>>
  requires(!TensorType<Mistake>)
auto minimize(F const& f, Tree const& x0, Options const& options) -> Mistake;

}  // namespace tenon::internal::optim

namespace tenon {

using internal::optim::minimize;

}  // namespace tenon
