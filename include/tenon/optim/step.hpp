#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include <tenon/optim/leaf_batch.hpp>
#include <tenon/optim/leaves.hpp>

namespace tenon::internal::optim {

/// What an update knows of its leaf besides the elements.
struct LeafOptions {
  tree::Path const& path;
  bool decays;                     ///< Whether weight decay applies to it.
  LeafBatches* batches = nullptr;  ///< Where small leaves may be updated together.
};

/// The step of every optimizer, of a model, its gradients and its state at a rate. An optimizer has
/// the private members: `slots(state)`, a tuple of the trees in its state; `scalars(state, rate)`,
/// the numbers that are the same for every element; `update(scalars, options, parameter, gradient,
/// slots...)`, which changes the elements of a leaf as vectors, or `update_leaf`, which changes the
/// leaf; and `advance(state)`, where a step changes more than the number of steps. Throws
/// `ShapeError` where the sizes of model and gradients differ.
struct Step {
  template <class Optimizer, class Tree, class State, class R>
  static std::pair<Tree, State> take(Optimizer const& optimizer, Tree model, Tree const& gradients,
                                     State state, R const& rate) {
    advance(optimizer, state);
    auto const scalars = scalars_of(optimizer, state, rate);
    LeafBatches batches;
    update_leaves<Optimizer>(
        [&]<class Leaf>(tree::Path const& path, Leaf& parameter, auto&... rest) {
          LeafOptions const options{path, is_decayed<Leaf>, &batches};
          update(optimizer, scalars, options, parameter, rest...);
        },
        model, gradients, state);
    batches.run();
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
  /// Of a leaf; an optimizer that maximizes takes the gradient with the other sign.
  template <class Optimizer, class Scalars, TensorType Leaf, class... Slot>
  static void update(Optimizer const& optimizer, Scalars const& scalars, LeafOptions const& options,
                     Leaf& parameter, Leaf const& gradient, Slot&... slots) {
    if constexpr (requires { optimizer.maximize; }) {
      if (optimizer.maximize) {
        Leaf opposite = gradient;
        set_row(opposite, -row_of(gradient));
        return minimize(optimizer, scalars, {options.path, options.decays}, parameter, opposite,
                        slots...);
      }
    }
    minimize(optimizer, scalars, options, parameter, gradient, slots...);
  }
  template <class Optimizer, class Scalars, class Leaf, class... Slot>
  static void minimize(Optimizer const& optimizer, Scalars const& scalars,
                       LeafOptions const& options, Leaf& parameter, Leaf const& gradient,
                       Slot&... slots) {
    if constexpr (requires {
                    optimizer.update_leaf(scalars, options, parameter, gradient, slots...);
                  })
      optimizer.update_leaf(scalars, options, parameter, gradient, slots...);
    else update_rows(optimizer, scalars, options, parameter, gradient, slots...);
  }
  template <class Optimizer, class Scalars, class Leaf, class... Slot>
  static void update_rows(Optimizer const& optimizer, Scalars const& scalars,
                          LeafOptions const& options, Leaf& parameter, Leaf const& gradient,
                          Slot&... slots) {
    LeafBatch* batch = nullptr;
    if constexpr (Leaf::device::is_host)
      if (options.batches != nullptr && LeafBatch::fit(parameter, gradient, slots...))
        batch = &options.batches->of<Leaf>(options.decays);
    if (batch != nullptr && batch->is_recorded()) return batch->add(parameter, gradient, slots...);
    TakenRow<Leaf> taken(parameter);
    std::array<TakenRow<Leaf>, sizeof...(Slot)> of{TakenRow<Leaf>(slots)...};
    auto const update = [&](Row<Leaf> const& gradient_row) {
      [&]<std::size_t... i>(std::index_sequence<i...>) {
        optimizer.update(scalars, options, taken.row, gradient_row, of[i].row...);
      }(std::index_sequence_for<Slot...>());
    };
    if (batch != nullptr && batch->is_new()) batch->record(taken, row_of(gradient), of, update);
    else update(row_of(gradient));
    // In reverse order: an unused slot is another reference to an earlier one, whose row is not
    // empty.
    for (std::size_t i = sizeof...(Slot); i > 0; --i) of[i - 1].put_back();
    taken.put_back();
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

/// kept sum + weight x.
template <TensorType Row, Expression X>
auto running_sum(Row& sum, double kept, double weight, X&& x) {
  return kept * std::move(sum) + weight * std::forward<X>(x);
}

/// x - scale y.
template <TensorType Row, Expression Y>
auto scaled_difference(Row& x, double scale, Y&& y) {
  return std::move(x) - scale * std::forward<Y>(y);
}

/// kept x - scale numerator / (root sqrt(squares) + epsilon).
template <class Number, TensorType Row, Expression Squares>
auto quotient_step(Row& x, Number const& kept, Number const& scale, Row const& numerator,
                   Number const& root, Squares const& squares, double epsilon) {
  return as_number_for<Row>(kept) * std::move(x) -
         as_number_for<Row>(scale) * numerator /
             (as_number_for<Row>(root) * sqrt(squares) + epsilon);
}

/// A rate that changes in proportion to that of an optimizer, from `before` to `now`.
inline double in_proportion(double rate, double now, double before) {
  return before == 0 ? rate : rate * (now / before);
}

/// gradient + weight_decay parameter: the gradient with that of the L2 penalty.
template <TensorType Row>
Row with_decay(Row const& gradient, double weight_decay, Row const& parameter) {
  if (weight_decay == 0) return gradient;
  return gradient - -weight_decay * parameter;
}

}  // namespace tenon::internal::optim
