#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <tenon/autodiff/grad.hpp>
#include <tenon/testing/close.hpp>

namespace tenon::internal::testing {

/// The step of central differences at a number: where it is not large, the cube root of the
/// precision of the dtype, at which the errors of rounding and of truncation are about the same.
template <class T>
double difference_step(double number) {
  double const root = std::cbrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
  return std::max(root, root * root * std::fabs(number));
}

/// The derivative of a scalar function with respect to one element, by central differences.
template <class F, class Tree, class T>
double central_difference(F const& f, Tree const& at, T& element) {
  T const before = element;
  double const step = difference_step<T>(static_cast<double>(before));
  auto const value_at = [&](double number) {
    element = static_cast<T>(number);
    return static_cast<double>(host_values(f(at)).item());
  };
  double const above = value_at(static_cast<double>(before) + step);
  double const below = value_at(static_cast<double>(before) - step);
  element = before;
  return (above - below) / (2 * step);
}

/// The tolerance of gradients where none is given: central differences of a float are coarse.
template <class T>
constexpr Tolerance gradient_tolerance() {
  return std::is_same_v<T, double> ? Tolerance{1e-6, 1e-6} : Tolerance{2e-2, 2e-2};
}

template <class F, class Tree>
Result compare_gradient(F const& f, Tree const& at, std::optional<Tolerance> tolerance) {
  Tree const gradient = grad(f)(at);
  Tree moved = at;
  CloseReport report(tolerance);
  auto const compare = [&](tree::Path const& path, auto& leaf, auto const& derivative) {
    using Leaf = std::remove_cvref_t<decltype(leaf)>;
    using T = typename Leaf::value_type;
    for (std::int64_t i = 0; i < leaf.size(); ++i) {
      double const expected = central_difference(f, moved, leaf.mutable_data()[i]);
      report.add(
          static_cast<double>(derivative.data()[i]), expected,
          [&] { return place_text(path, position_text(Leaf::shape, leaf.sizes(), i)); },
          gradient_tolerance<T>());
    }
  };
  tree::zip(compare, moved, gradient);
  return report.result();
}

/// Whether the gradient of a scalar function of a tensor, or of a tree of tensors, is that of
/// central differences, element by element; `f` is called twice for each. The default tolerance is
/// 1e-6 for leaves of `double` and 2e-2 for `float`, whose differences are coarse: check in
/// `double` where the function allows it. At a kink (`relu` at 0) they disagree. The text of a
/// failure has the largest difference, with its leaf and position: "expected" is the difference
/// quotient, "got" the gradient. PyTorch: `torch.autograd.gradcheck`; JAX:
/// `jax.test_util.check_grads`.
template <class F, class Tree>
Result check_gradient(F const& f, Tree const& at, double tolerance) {
  return compare_gradient(f, at, Tolerance{tolerance, tolerance});
}
template <class F, class Tree>
Result check_gradient(F const& f, Tree const& at, Tolerance tolerance) {
  return compare_gradient(f, at, tolerance);
}
template <class F, class Tree>
Result check_gradient(F const& f, Tree const& at) {
  return compare_gradient(f, at, std::nullopt);
}
}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::check_gradient;

}  // namespace tenon::testing
