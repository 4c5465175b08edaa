#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenon/autodiff/grad.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/optim/step.hpp>

namespace tenon::internal::optim {

/// The scalar product of two trees.
template <class Tree>
double scalar_product(Tree const& a, Tree const& b) {
  double total = 0;
  tree::zip(
      [&](auto const& x, auto const& y) {
        total += static_cast<double>(eval(sum(row_of(x) * row_of(y))).item());
      },
      a, b);
  return total;
}
template <class Tree>
double largest_magnitude(Tree const& tree) {
  return tree::fold(
      [](double before, auto const& x) {
        if (x.size() == 0) return before;
        return (std::max)(before, static_cast<double>(eval(max(abs(row_of(x)))).item()));
      },
      0.0, tree);
}
template <class Tree>
double sum_of_magnitudes(Tree const& tree) {
  return tree::fold(
      [](double before, auto const& x) {
        return before + static_cast<double>(eval(sum(abs(row_of(x)))).item());
      },
      0.0, tree);
}
/// kept x + scale y.
template <class Tree>
Tree combine(double kept, Tree x, double scale, Tree const& y) {
  tree::zip([&](auto& a, auto const& b) { accumulate(a, kept, scale, b); }, x, y);
  return x;
}

/// A point of a line search: the step length, and there the loss, its directional derivative and
/// its gradient.
template <class Tree>
struct LinePoint {
  double length, loss, slope;
  Tree model, gradient;
};

/// The minimum of the cubic through two points, between bounds.
template <class Point>
double cubic_minimum(Point const& a, Point const& b, double least, double most) {
  Point const &left = a.length <= b.length ? a : b, &right = a.length <= b.length ? b : a;
  double const width = right.length - left.length;
  double const mean = left.slope + right.slope - 3 * (right.loss - left.loss) / width;
  double const square = mean * mean - left.slope * right.slope;
  if (!(square >= 0)) return (least + most) / 2;
  double const root = std::sqrt(square);
  double const place =
      right.length - width * ((right.slope + root - mean) / (right.slope - left.slope + 2 * root));
  return (std::min)((std::max)(place, least), most);
}

/// The search for a point along a direction that satisfies the strong Wolfe conditions (Nocedal and
/// Wright, "Numerical Optimization", 3.5, as in PyTorch); `at(length)` computes one.
template <class Point, class F>
struct WolfeSearch {
  static constexpr int most_steps = 25;
  F const& at;
  Point const& start;
  double least_width;
  int steps = 0;
  Point low = start, high = start;

  Point find(double length) {
    if (bracket(length)) return low;
    bool is_slow = false;
    while (steps < most_steps && std::abs(high.length - low.length) >= least_width) {
      Point const now = at(next_length(is_slow));
      ++steps;
      if (narrow(now)) return now;
    }
    return low;
  }

 private:
  bool is_above(Point const& now) const {
    return now.loss > start.loss + 1e-4 * now.length * start.slope;
  }
  bool is_flat(Point const& now) const { return std::abs(now.slope) <= -0.9 * start.slope; }
  bool set(Point const& a, Point const& b) {
    low = a.loss <= b.loss ? a : b;
    high = a.loss <= b.loss ? b : a;
    return false;
  }

  /// True if `low` satisfies the conditions; else they are satisfied between `low` and `high`.
  bool bracket(double length) {
    Point before = start, now = at(length);
    for (; steps < most_steps; ++steps) {
      if (is_above(now) || (steps > 1 && now.loss >= before.loss)) return set(before, now);
      if (is_flat(now)) return low = now, true;
      if (now.slope >= 0) return set(before, now);
      double const next = cubic_minimum(
          before, now, now.length + 0.01 * (now.length - before.length), now.length * 10);
      before = std::exchange(now, at(next));
    }
    return set(start, now);
  }

  /// The cubic minimum, away from the ends of the interval where it comes near them twice.
  double next_length(bool& is_slow) const {
    double const least = (std::min)(low.length, high.length);
    double const most = (std::max)(low.length, high.length), margin = 0.1 * (most - least);
    double const length = cubic_minimum(low, high, least, most);
    bool const is_near = (std::min)(most - length, length - least) < margin;
    bool const is_moved = is_near && (is_slow || length >= most || length <= least);
    is_slow = is_near && !is_moved;
    if (!is_moved) return length;
    return most - length < length - least ? most - margin : least + margin;
  }

  /// Takes a point into the interval; true if it satisfies the conditions.
  bool narrow(Point const& now) {
    if (is_above(now) || now.loss >= low.loss) return set(low, now);
    if (is_flat(now)) return true;
    if (now.slope * (high.length - low.length) >= 0) high = low;
    low = now;
    return false;
  }
};

}  // namespace tenon::internal::optim

namespace tenon {

/// The state of LBFGS between steps: a plain tree. PyTorch: `optimizer.state`.
template <class Tree>
struct LBFGSState {
  Tree direction, gradient;            ///< Of the last iteration.
  std::vector<Tree> moves{}, turns{};  ///< Differences of models and of gradients, oldest first.
  double scale = 1;                    ///< Of the first estimate of the inverse Hessian.
  double length = 1;                   ///< Of the last iteration, along `direction`.
  double loss = 0;                     ///< Before the last step.
  std::int64_t iterations = 0;
};

}  // namespace tenon

namespace tenon::internal::optim {

/// Adds the last iteration to those from which the inverse Hessian is estimated.
template <class Tree>
void add_to_history(LinePoint<Tree> const& now, LBFGSState<Tree>& state, std::size_t history_size) {
  if (history_size == 0) return;
  Tree turned = combine(-1, state.gradient, 1, now.gradient);
  Tree move = combine(state.length, state.direction, 0, state.direction);
  double const product = scalar_product(turned, move);
  if (!(product > 1e-10)) return;
  if (state.moves.size() == history_size) {
    state.moves.erase(state.moves.begin());
    state.turns.erase(state.turns.begin());
  }
  state.scale = product / scalar_product(turned, turned);
  state.moves.push_back(std::move(move)), state.turns.push_back(std::move(turned));
}

/// Sets the direction to minus the estimated inverse Hessian times the gradient, by the two loops
/// of the method.
template <class Tree>
void set_direction(LinePoint<Tree> const& now, LBFGSState<Tree>& state, std::size_t history_size) {
  if (state.iterations > 0) add_to_history(now, state, history_size);
  Tree q = combine(-1, now.gradient, 0, now.gradient);
  std::vector<double> weights(state.moves.size());
  auto const inverse = [&](std::size_t i) {
    return 1 / scalar_product(state.turns[i], state.moves[i]);
  };
  for (std::size_t i = weights.size(); i-- > 0;) {
    weights[i] = scalar_product(state.moves[i], q) * inverse(i);
    q = combine(1, std::move(q), -weights[i], state.turns[i]);
  }
  q = combine(state.scale, q, 0, q);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] -= scalar_product(state.turns[i], q) * inverse(i);
    q = combine(1, std::move(q), weights[i], state.moves[i]);
  }
  state.direction = std::move(q);
}

/// The value and the gradient of a function at a point.
template <class F, class Tree>
LinePoint<Tree> point_at(F const& f, Tree x) {
  auto const loss = [&](Tree const& at) { return f(at); };
  auto [value, gradient] = value_and_grad(loss)(x);
  return {0, static_cast<double>(value.item()), 0, std::move(x), std::move(gradient)};
}

/// The same at a distance along a direction, with the directional derivative.
template <class F, class Tree>
LinePoint<Tree> point_along(F const& f, LinePoint<Tree> const& from, double length,
                            Tree const& direction) {
  LinePoint<Tree> to = point_at(f, combine(1, from.model, length, direction));
  to.length = length, to.slope = scalar_product(to.gradient, direction);
  return to;
}

}  // namespace tenon::internal::optim

namespace tenon {

/// L-BFGS (Liu and Nocedal, 1989): for losses without noise, of all data. A step takes the loss in
/// place of its gradient, and makes up to `max_iter` iterations: `std::tie(model, state) =
/// lbfgs.step(model, loss, state)`. PyTorch: `torch.optim.LBFGS`, with the same defaults.
struct LBFGS {
  double rate = 1;
  std::int64_t max_iter = 20;
  std::int64_t max_eval = 0;  ///< Evaluations of the loss in a step; 0: 5/4 max_iter.
  double tolerance_grad = 1e-7;
  double tolerance_change = 1e-9;
  std::size_t history_size = 100;
  bool strong_wolfe = false;  ///< With a line search.

  template <class Tree>
  LBFGSState<Tree> init(Tree const& model) const {
    internal::tree::for_each(
        []<class Leaf>(Leaf const&) { internal::optim::check_real_leaf<Leaf>(); }, model);
    return {internal::optim::zeros_of(model), internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step; `loss(model)` is a scalar. A pure function.
  template <class Tree, class Loss>
  std::pair<Tree, LBFGSState<Tree>> step(Tree model, Loss const& loss,
                                         LBFGSState<Tree> state) const {
    auto now = internal::optim::point_at(loss, std::move(model));
    state.loss = now.loss;
    std::int64_t evaluations = 1;
    std::int64_t const most = max_eval > 0 ? max_eval : max_iter * 5 / 4;
    bool goes_on = internal::optim::largest_magnitude(now.gradient) > tolerance_grad;
    for (std::int64_t i = 1; goes_on && i <= max_iter; ++i)
      goes_on = iterate(loss, now, state, evaluations, i == max_iter) && evaluations < most;
    return {std::move(now.model), std::move(state)};
  }

 private:
  /// False where nothing is left to be gained.
  template <class Loss, class Tree>
  bool iterate(Loss const& loss, internal::optim::LinePoint<Tree>& now, LBFGSState<Tree>& state,
               std::int64_t& evaluations, bool is_last) const {
    using namespace internal::optim;
    double const first = (std::min)(1.0, 1 / sum_of_magnitudes(now.gradient)) * rate;
    set_direction(now, state, history_size);
    state.gradient = now.gradient;
    state.length = ++state.iterations == 1 ? first : rate;
    now.length = 0, now.slope = scalar_product(now.gradient, state.direction);
    if (now.slope > -tolerance_change) return false;
    double const before = now.loss;
    now = step_along(loss, now, state, evaluations, is_last);
    state.length = now.length;
    return largest_magnitude(now.gradient) > tolerance_grad &&
           largest_magnitude(state.direction) * std::abs(now.length) > tolerance_change &&
           std::abs(now.loss - before) >= tolerance_change;
  }

  /// The point after an iteration. Without a line search the last one needs no loss.
  template <class Loss, class Point, class Tree>
  Point step_along(Loss const& loss, Point const& from, LBFGSState<Tree> const& state,
                   std::int64_t& evaluations, bool is_last) const {
    using namespace internal::optim;
    auto const at = [&](double length) {
      ++evaluations;
      return point_along(loss, from, length, state.direction);
    };
    if (strong_wolfe) {
      double const width = tolerance_change / largest_magnitude(state.direction);
      return WolfeSearch<Point, decltype(at)>{at, from, width}.find(state.length);
    }
    if (!is_last) return at(state.length);
    return {state.length, from.loss, from.slope,
            combine(1, from.model, state.length, state.direction), from.gradient};
  }
};

}  // namespace tenon
