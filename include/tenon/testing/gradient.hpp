#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <tenon/autodiff/grad.hpp>
#include <tenon/testing/close.hpp>

/// Gradients compared with central differences.
namespace tenon::internal::testing {

/// The step of central differences in double at `x`. It balances their error, (step)^2, with
/// rounding, epsilon / step: the best is the cube root of epsilon, 6e-6.
inline double difference_step(double x) { return 1e-5 * (std::max)(1.0, std::abs(x)); }

/// The derivative of f along one element. `element` is restored.
template <class F>
double central_difference(F const& f, double& element) {
  double const before = element, step = difference_step(before);
  double const above = before + step, below = before - step;
  element = above;
  double const value_above = f();
  element = below;
  double const value_below = f();
  element = before;
  return (value_above - value_below) / (above - below);
}

/// The same along a complex element, d/dre - i d/dim: the convention of `grad`, which is JAX's.
template <class F, ComplexType T>
T central_difference(F const& f, T& element) {
  auto& parts = reinterpret_cast<double(&)[2]>(element);
  double const by_real = central_difference(f, parts[0]);
  return T(by_real, -central_difference(f, parts[1]));
}

/// Whether all learned leaves of a tree are in double.
template <class Tree>
constexpr bool is_in_double = [] {
  constexpr auto all = []<class... Leaf>(tree::LeafTypes<Leaf...>) {
    return (std::is_same_v<RealPartOf<typename Leaf::value_type>, double> && ...);
  };
  return all(tree::LeafTypesOf<tree::Learned, Tree>());
}();

/// The gradient of a scalar function at a tensor or a tree in double, by central differences: two
/// calls for every element, four for a complex one.
template <class F, class Tree>
Tree central_differences(F const& f, Tree const& at) {
  static_assert(is_in_double<Tree>,
                "tenon::central_differences: the leaves must be float64 or complex128");
  Tree result = at, moved = at;
  auto const value = [&] { return static_cast<double>(eval(f(std::as_const(moved))).item()); };
  tree::zip(
      [&](auto& derivative, auto& leaf) {
        for (std::int64_t i = 0; i < leaf.size(); ++i)
          derivative.mutable_data()[i] = central_difference(value, leaf.mutable_data()[i]);
      },
      result, moved);
  return result;
}

/// The tolerance of `check_gradient`, absolute and relative: the error of central differences in
/// double is about 1e-9 of values near one.
inline constexpr double gradient_tolerance = 1e-6;

/// Checks the gradient of a scalar function at a tensor, an expression or a tree in double against
/// central differences. The tolerance is as for `check_close`; 1e-6 for both by default. f is
/// called twice for every element; where it is not differentiable the comparison fails. PyTorch:
/// `torch.autograd.gradcheck`. JAX: `jax.test_util.check_grads`.
template <class F, class X>
CheckResult check_gradient(F const& f, X const& x, Tolerance const& tolerance) {
  auto const at = as_value(x);
  return compare_trees(grad(f)(at), central_differences(f, at), tolerance);
}
template <class F, class X>
CheckResult check_gradient(F const& f, X const& x, double tolerance = gradient_tolerance) {
  return check_gradient(f, x, Tolerance{tolerance, tolerance});
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::central_differences;
using internal::testing::check_gradient;

}  // namespace tenon::testing

/// Checks a gradient: CHECK_GRADIENT(loss, model) or CHECK_GRADIENT(loss, model, 1e-4).
#define CHECK_GRADIENT(...) TENON_REPORT(::tenon::testing::check_gradient(__VA_ARGS__))
