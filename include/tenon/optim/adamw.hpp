#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include <tenon/optim/leaves.hpp>

namespace tenon {

/// What AdamW remembers between steps: a plain tree.
template <class Tree>
struct AdamWState {
  Tree mean;         ///< Running mean of the gradients.
  Tree mean_square;  ///< Running mean of their squares.
  std::int64_t steps = 0;
};

/// Adam with decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101). Weight decay pulls
/// at matrices and all of higher rank, not at vectors. PyTorch: `torch.optim.AdamW(lr, betas, eps,
/// weight_decay)`, with the same defaults.
struct AdamW {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 1e-2;

  template <class Tree>
  AdamWState<Tree> init(Tree const& model) const {
    return {optim::zeros_of(model), optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: what is handed in by name stays as it
  /// is. Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients,
                                         AdamWState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same at another rate, as a schedule says.
  template <class Tree>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients, AdamWState<Tree> state,
                                         double rate_now) const {
    ++state.steps;
    Scales const scales = scales_at(state.steps, rate_now);
    tree::zip([&](auto& parameter, auto const& gradient, auto& mean,
                  auto& mean_square) { update(scales, parameter, gradient, mean, mean_square); },
              model, gradients, state.mean, state.mean_square);
    return {std::move(model), std::move(state)};
  }

 private:
  /// The numbers that a step needs, the same for every element.
  struct Scales {
    double decayed;  ///< 1 - rate weight_decay
    double step;     ///< rate / (1 - beta1^t)
    double root;     ///< 1 / sqrt(1 - beta2^t)
  };

  Scales scales_at(std::int64_t steps, double rate_now) const {
    auto const t = static_cast<double>(steps);
    return {1 - rate_now * weight_decay, rate_now / (1 - std::pow(beta1, t)),
            1 / std::sqrt(1 - std::pow(beta2, t))};
  }

  template <TensorType Leaf>
  void update(Scales const& scales, Leaf& parameter, Leaf const& gradient, Leaf& mean,
              Leaf& mean_square) const {
    using Row = optim::Row<Leaf>;
    Row p = optim::row_of(parameter), m = optim::row_of(mean), v = optim::row_of(mean_square);
    update_row(scales, optim::is_decayed<Leaf> ? scales.decayed : 1.0, p, optim::row_of(gradient),
               m, v);
    mean = reshaped<Leaf>(m, mean.sizes());
    mean_square = reshaped<Leaf>(v, mean_square.sizes());
    parameter = reshaped<Leaf>(p, parameter.sizes());
  }

  template <TensorType Row>
  void update_row(Scales const& scales, double kept, Row& parameter, Row const& gradient, Row& mean,
                  Row& mean_square) const {
    mean = Row(beta1 * mean + (1 - beta1) * gradient);
    mean_square = Row(beta2 * mean_square + (1 - beta2) * square(gradient));
    parameter =
        Row(kept * parameter - scales.step * mean / (scales.root * sqrt(mean_square) + epsilon));
  }
};

}  // namespace tenon
