#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <tenon/optim/lbfgs.hpp>

/// The minimum of a function of any tree of tensors.
namespace tenon {

/// When `minimize` ends, with SciPy's names and values.
struct MinimizeOptions {
  double gtol = 1e-5;          ///< Of the largest magnitude in the gradient.
  double ftol = 2.2204460e-9;  ///< Of the decrease, relative to the value, or to 1.
  std::int64_t max_iter = 15000;
  std::int64_t max_eval = 15000;  ///< Evaluations of the function with its gradient.
  std::size_t history_size = 10;  ///< Iterations from which the Hessian is estimated.
};

/// What `minimize` found. SciPy: `OptimizeResult`.
template <class Tree>
struct MinimizeResult {
  Tree x;
  double value;
  double gradient_norm;  ///< The largest magnitude in the gradient at x.
  std::int64_t iterations;
  std::int64_t evaluations;
  bool converged;
  std::string message;  ///< Why it ended.
};

}  // namespace tenon

namespace tenon::internal::optim {

/// The directions of L-BFGS.
template <class Tree>
struct LBFGSDirections {
  std::size_t history_size;
  LBFGSState<Tree> state;

  Tree direction(LinePoint<Tree> const& now) {
    set_direction(now, state, history_size);
    return state.direction;
  }
  double first_length(LinePoint<Tree> const& now) const {
    return state.moves.empty() ? (std::min)(1.0, 1 / sum_of_magnitudes(now.gradient)) : 1.0;
  }
  void accept(LinePoint<Tree> const& from, LinePoint<Tree> const& to) {
    ++state.iterations;
    state.length = to.length, state.gradient = from.gradient;
  }
  /// The next direction is that of the gradient; false if the last one was.
  bool reset_direction() {
    bool const had_any = !state.moves.empty();
    state.moves.clear(), state.turns.clear();
    state.scale = 1, state.iterations = 0;
    return had_any;
  }
};

/// The descent from a start to a minimum along the directions of a method.
template <class F, class Tree, class Options, class Directions>
struct Descent {
  using Point = LinePoint<Tree>;
  F const& f;
  Options const& options;
  Point now;
  Directions directions;
  Tree direction = now.model;
  std::int64_t evaluations = 1, iterations = 0;

  MinimizeResult<Tree> run() {
    if (!is_finite(now)) refuse_start();
    std::string_view end;
    while (end.empty()) end = iterate();
    double const norm = largest_magnitude(now.gradient);
    bool const converged = end == flat || end == steady;
    return {std::move(now.model), now.loss, norm, iterations, evaluations, converged,
            std::string(end)};
  }

 private:
  static constexpr std::string_view flat = "the gradient is at most gtol";
  static constexpr std::string_view steady = "the value decreases by at most ftol";

  [[noreturn]] void refuse_start() const {
    bool const is_of_value = !std::isfinite(now.loss);
    fail<ValueError>({"minimize",
                      "x0",
                      is_of_value ? "a finite value there" : "a finite gradient there",
                      is_of_value ? std::to_string(now.loss) : "one that is not",
                      {}});
  }
  static bool is_finite(Point const& point) {
    return std::isfinite(point.loss) && std::isfinite(sum_of_magnitudes(point.gradient));
  }

  /// Makes an iteration; the reason why it was the last, or nothing.
  std::string_view iterate() {
    if (largest_magnitude(now.gradient) <= options.gtol) return flat;
    if (iterations == options.max_iter) return "max_iter iterations were made";
    if (evaluations >= options.max_eval) return "max_eval evaluations were made";
    set_descent_direction();
    auto const at = [&](double length) { return point_along(length); };
    Point next = WolfeSearch<Point, decltype(at)>{at, now, 0}.find(directions.first_length(now));
    double const decrease = now.loss - next.loss;
    double const size = (std::max)({std::abs(next.loss), std::abs(now.loss), 1.0});
    if (!(decrease > 0)) return directions.reset_direction() ? std::string_view() : stuck;
    ++iterations;
    directions.accept(now, next);
    now = std::move(next);
    return decrease <= options.ftol * size ? steady : std::string_view();
  }
  static constexpr std::string_view stuck = "there is no lower value along the gradient";

  /// The direction of the method, or of the gradient where that one does not descend.
  void set_descent_direction() {
    for (int i = 0; i < 2; ++i) {
      direction = directions.direction(now);
      now.length = 0, now.slope = scalar_product(now.gradient, direction);
      if (now.slope < 0 && std::isfinite(now.slope)) return;
      directions.reset_direction();
    }
  }

  /// The point at a distance along the direction. Where the function is not finite, the value is
  /// infinity and the directional derivative NaN: then the line search bisects the interval.
  Point point_along(double length) {
    ++evaluations;
    Point to = optim::point_along(f, now, length, direction);
    if (is_finite(to) && std::isfinite(to.slope)) return to;
    to.loss = std::numeric_limits<double>::infinity();
    to.slope = std::numeric_limits<double>::quiet_NaN();
    return to;
  }
};

/// A descent without a recording around it.
template <class F, class Tree, class Options, class Directions>
MinimizeResult<Tree> descend(F const& f, Tree const& x0, Options const& options,
                             Directions const& directions) {
  tree::for_each([]<class Leaf>(Leaf const&) { check_real_leaf<Leaf>(); }, x0);
  Unrecorded const unrecorded;
  auto start = point_at(f, unmarked_leaves(x0));
  return Descent<F, Tree, Options, Directions>{f, options, std::move(start), directions}.run();
}

struct MinimizeName {
  static constexpr std::string_view name = "minimize";
};

/// A local minimum of a scalar function f(x) of any tree x of `float32` or `float64`, from `x0`, by
/// L-BFGS with a line search for the strong Wolfe conditions (Nocedal and Wright, "Numerical
/// Optimization", 3.5 and 7.2). `x` of the result has the type of `x0`; it is the best point found
/// also where `converged` is false. The gradient is that of `grad`; none passes through the result.
/// Where f is not finite along the search, the step is shortened. `options` say when it ends.
/// Throws `ValueError` where f or its gradient is not finite at `x0`. SciPy: `optimize.minimize`,
/// L-BFGS-B without bounds.
template <class F, class Tree, TensorType Loss = LossOf<MinimizeName, F const&, Tree>>
MinimizeResult<Tree> minimize(F const& f, Tree const& x0, MinimizeOptions const& options = {}) {
  auto const state = LBFGS{}.init(x0);
  return descend(f, x0, options, LBFGSDirections<Tree>{options.history_size, state});
}
template <class F, class Tree, class Mistake = LossOf<MinimizeName, F const&, Tree>>
  requires(!TensorType<Mistake>)
auto minimize(F const& f, Tree const& x0, MinimizeOptions const& options = {}) -> Mistake;

}  // namespace tenon::internal::optim

namespace tenon {

using internal::optim::minimize;

}  // namespace tenon
