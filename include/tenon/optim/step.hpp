#pragma once

#include <tuple>
#include <utility>

#include <tenon/optim/leaves.hpp>

namespace tenon::internal::optim {

/// What an update knows of its leaf besides the elements.
struct LeafOptions {
  tree::Path const& path;
  bool decays;  ///< Whether weight decay applies to it.
};

/// The step of an optimizer, made of its private members: `advance(state)`, if more than the
/// number of its steps changes; `scalars(state, rate)`, the numbers that are the same for
/// every element; `slots(state)`, the trees of the state; `update(scalars, options, parameter,
/// gradient, slots...)` of a leaf.
struct Step {
  template <class Optimizer, class Tree, class State, class R>
  static std::pair<Tree, State> take(Optimizer const& optimizer, Tree model, Tree const& gradients,
                                     State state, R const& rate) {
    advance(optimizer, state);
    auto const scalars = scalars_of(optimizer, state, rate);
    update_leaves<Optimizer>(
        [&]<class Leaf>(tree::Path const& path, Leaf& parameter, auto&... rest) {
          update(optimizer, scalars, {path, is_decayed<Leaf>}, parameter, rest...);
        },
        model, gradients, state);
    return {std::move(model), std::move(state)};
  }

  template <class Optimizer, class State>
  static void advance(Optimizer const& optimizer, State& state) {
    if constexpr (requires { optimizer.advance(state); }) optimizer.advance(state);
    else if constexpr (requires { state.steps + 1; }) state.steps = state.steps + 1;
  }
  template <class Optimizer, class State, class R>
  static auto scalars_of(Optimizer const& optimizer, State const& state, R const& rate) {
    return optimizer.scalars(state, rate);
  }
  /// Of an optimizer that maximizes, by the gradient with the other sign.
  template <class Optimizer, class Scalars, TensorType Leaf, class... Slot>
  static void update(Optimizer const& optimizer, Scalars const& scalars, LeafOptions const& options,
                     Leaf& parameter, Leaf const& gradient, Slot&... slots) {
    if constexpr (requires { optimizer.maximize; }) {
      if (optimizer.maximize) {
        Leaf opposite = gradient;
        set_row(opposite, -row_of(gradient));
        return optimizer.update(scalars, options, parameter, opposite, slots...);
      }
    }
    optimizer.update(scalars, options, parameter, gradient, slots...);
  }

  /// Calls f(path, parameter, gradient, slots...) for every leaf.
  template <class Optimizer, class F, class Tree, class State>
  static void update_leaves(F const& f, Tree& model, Tree const& gradients, State& state) {
    std::apply([&](auto&... slots) { tree::zip(f, model, gradients, slots...); },
               Optimizer::slots(state));
  }
};

/// sum = kept sum + weight x.
template <TensorType Leaf>
void accumulate(Leaf& sum, double kept, double weight, Leaf const& x) {
  set_row(sum, kept * row_of(sum) + weight * row_of(x));
}

/// sum = kept sum + weight x².
template <TensorType Leaf>
void accumulate_squares(Leaf& sum, double kept, double weight, Leaf const& x) {
  set_row(sum, kept * row_of(sum) + weight * square(row_of(x)));
}

/// from = from - scale x.
template <TensorType Leaf>
void subtract(Leaf& from, double scale, Leaf const& x) {
  set_row(from, row_of(from) - scale * row_of(x));
}

/// x = kept x - scale numerator / (root sqrt(squares) + epsilon).
template <class Number, TensorType Leaf>
void subtract_quotient(Leaf& x, Number const& kept, Number const& scale, Leaf const& numerator,
                       Number const& root, Leaf const& squares, double epsilon) {
  using Row = optim::Row<Leaf>;
  set_row(x, as_number_for<Row>(kept) * row_of(x) -
                 as_number_for<Row>(scale) * row_of(numerator) /
                     (as_number_for<Row>(root) * sqrt(row_of(squares)) + epsilon));
}

/// A rate that changes in proportion to that of an optimizer, from `before` to `now`.
inline double in_proportion(double rate, double now, double before) {
  return before == 0 ? rate : rate * (now / before);
}

/// gradient + weight_decay parameter: the gradient with that of the L2 penalty.
template <TensorType Leaf>
Leaf with_decay(Leaf gradient, double weight_decay, Leaf const& parameter) {
  if (weight_decay != 0) subtract(gradient, -weight_decay, parameter);
  return gradient;
}

}  // namespace tenon::internal::optim
