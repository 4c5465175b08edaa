#pragma once

#include <array>
#include <cstddef>
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

/// The complex conjugates of the elements of a leaf. Throws `Error` for a leaf that is recorded: a
/// step of complex numbers has no gradient.
template <TensorType Leaf>
Leaf conjugate_of(Leaf leaf) {
  if (leaf.mark() != TapeMark())
    fail({"optim::step", "gradient", "no recorded complex numbers", "recorded ones", {}});
  auto* const elements = leaf.mutable_data();
  for (std::int64_t i = 0; i < leaf.size(); ++i) elements[i].imag(-elements[i].imag());
  return leaf;
}

/// The step of every optimizer, of a model, its gradients and its state at a rate; model and state
/// are moved to the result. An optimizer has the private members: `slots(state)`, a tuple of the
/// trees in its state; `scalars(state, rate)`, the numbers that are the same for every element, if
/// they are not the rate alone; `update(scalars, options, parameter, gradient, slots...)`, which
/// changes the elements of a leaf as vectors, or `update_leaf`, which changes the leaf; and
/// `advance(state)`, where a step changes more than the number of steps. The L2 penalty of
/// `weight_decay` is part of the gradient, unless there is a true `decoupled_weight_decay`. The
/// gradient has the sign of `maximize`, unless a true static `weighs_gradients` says that `update`
/// uses `gradient_weight`: then no kernel changes the gradient. Throws `ShapeError` where the sizes
/// of model and gradients differ.
struct Step {
  template <class Optimizer, class Tree, class State, class R>
  static std::pair<Tree, State> take(Optimizer const& optimizer, Tree& model, Tree const& gradients,
                                     State& state, R const& rate) {
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

  static void advance(auto const& optimizer, auto& state) {
    if constexpr (requires { optimizer.advance(state); }) optimizer.advance(state);
    else if constexpr (requires { state.steps + 1; }) state.steps = state.steps + 1;
  }
  static auto scalars_of(auto const& optimizer, auto const& state, auto const& rate) {
    if constexpr (requires { optimizer.scalars(state, rate); })
      return optimizer.scalars(state, rate);
    else return rate;
  }
  /// Whether weight decay changes the parameters of the leaf, not its gradient.
  static bool decays_parameters(auto const& optimizer, LeafOptions const& leaf) {
    if constexpr (requires { optimizer.decoupled_weight_decay; })
      return leaf.decays && optimizer.decoupled_weight_decay;
    else return false;
  }
  /// Whether the penalty of weight decay is never part of the gradient.
  template <class Optimizer>
  static constexpr bool decouples = requires { requires Optimizer::decoupled_weight_decay; };
  /// Whether `update` takes the sign of `maximize` into a weight of the gradient.
  template <class Optimizer>
  static constexpr bool weighs_gradients = requires { requires Optimizer::weighs_gradients; };
  /// The weight of the gradient in a running mean that keeps `kept` of itself.
  template <class Optimizer>
  static double gradient_weight(Optimizer const& optimizer, double kept) {
    if constexpr (weighs_gradients<Optimizer>)
      if (optimizer.maximize) return kept - 1;
    return 1 - kept;
  }
  /// The gradient with the sign of `maximize` and with the L2 penalty.
  template <class Optimizer, TensorType Row>
  static void change_gradient(Optimizer const& optimizer, LeafOptions const& options,
                              Row const& parameter, Row& gradient) {
    if constexpr (requires { optimizer.maximize; } && !weighs_gradients<Optimizer>)
      if (optimizer.maximize) gradient = -gradient;
    if constexpr (!decouples<Optimizer>)
      if (options.decays && optimizer.weight_decay != 0 && !decays_parameters(optimizer, options))
        gradient = gradient - -optimizer.weight_decay * parameter;
  }
  /// Of a leaf.
  template <class Optimizer, class Scalars, TensorType Leaf, class... Slot>
  static void update(Optimizer const& optimizer, Scalars const& scalars, LeafOptions const& options,
                     Leaf& parameter, Leaf const& gradient, Slot&... slots) {
    if constexpr (requires {
                    optimizer.update_leaf(scalars, options, parameter, gradient, slots...);
                  })
      optimizer.update_leaf(scalars, options, parameter, gradient, slots...);
    else if constexpr (ComplexType<typename Leaf::value_type>)
      update_parts(optimizer, scalars, options, parameter, gradient, slots...);
    else
      update_rows<Row<Leaf>>(optimizer, scalars, options,
                             std::array{LeafRef(parameter), LeafRef(gradient), LeafRef(slots)...});
  }
  template <TensorType Row, std::size_t n, class Optimizer, class Scalars>
  static void update_rows(Optimizer const& optimizer, Scalars const& scalars,
                          LeafOptions const& options, std::array<LeafRef, n> const& leaves);
  /// Of a complex leaf, as twice as many real numbers. The direction of the steepest ascent is the
  /// conjugate of the gradient.
  template <class Optimizer, class Scalars, TensorType Leaf, class... Slot>
  static void update_parts(Optimizer const& optimizer, Scalars const& scalars, LeafOptions options,
                           Leaf& parameter, Leaf const& gradient, Slot&... slots) {
    Leaf const ascent = conjugate_of(gradient);
    options.batches = nullptr;  // they tell leaves apart by the size of their elements only
    update_rows<Parts<Leaf>>(optimizer, scalars, options,
                             std::array{LeafRef(parameter).in_parts(), LeafRef(ascent).in_parts(),
                                        LeafRef(slots).in_parts()...});
  }

  /// Calls f(path, parameter, gradient, slots...) for every leaf.
  template <class Optimizer, class F, class Tree, class State>
  static void update_leaves(F const& f, Tree& model, Tree const& gradients, State& state) {
    std::apply([&](auto&... slots) { tree::zip(f, model, gradients, slots...); },
               Optimizer::slots(state));
  }
};

/// The rows of parameter, gradient and slots. All but the gradient are taken from their leaves.
template <TensorType Row, std::size_t n>
std::array<Row, n> take_rows(std::array<LeafRef, n> const& leaves) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{i == 1 ? leaves[i].template row<Row>()
                             : leaves[i].template take_row<Row>()...};
  }(std::make_index_sequence<n>());
}
/// In reverse order: an unused slot is another reference to an earlier one, whose row is not empty.
template <TensorType Row, std::size_t n>
void put_back(std::array<LeafRef, n> const& leaves, std::array<Row, n> const& rows) {
  for (std::size_t i = n; i-- > 0;)
    if (i != 1) leaves[i].put_back(rows[i]);
}

template <class Optimizer>
bool maximizes(Optimizer const& optimizer) {
  if constexpr (requires { optimizer.maximize; }) return optimizer.maximize;
  else return false;
}

/// Where the update of leaves is part of one over all small leaves; null where it is on its own.
template <TensorType Row>
LeafBatch* batch_of(LeafOptions const& options, LeafBatch::Leaves leaves) {
  if (!Row::device::is_host || options.batches == nullptr || !LeafBatch::fit(leaves))
    return nullptr;
  return &options.batches->of(sizeof(typename Row::value_type), options.decays);
}

/// An optimizer that maximizes takes the gradient with the other sign, of each leaf on its own.
template <TensorType Row, std::size_t n, class Optimizer, class Scalars>
void Step::update_rows(Optimizer const& optimizer, Scalars const& scalars,
                       LeafOptions const& options, std::array<LeafRef, n> const& leaves) {
  LeafBatch* const batch = maximizes(optimizer) ? nullptr : batch_of<Row>(options, leaves);
  if (batch != nullptr && batch->is_recorded())
    return batch->add(leaves, sizeof(typename Row::value_type));
  std::array<Row, n> rows = take_rows<Row>(leaves);
  auto const update = [&] {
    change_gradient(optimizer, options, rows[0], rows[1]);
    std::apply([&](auto&... row) { optimizer.update(scalars, options, row...); }, rows);
  };
  if (batch != nullptr && batch->is_new()) batch->record(rows, update);
  else update();
  put_back(leaves, rows);
}

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

}  // namespace tenon::internal::optim
