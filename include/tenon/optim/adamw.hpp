#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include <tenon/optim/leaves.hpp>

namespace tenon {

/// The state of AdamW between steps: a plain tree, on the device of the model (so that a captured
/// step also advances its counter). PyTorch: `optimizer.state`.
template <class Tree>
struct AdamWState {
  using Steps = Tensor<std::int64_t, "", internal::tree::DeviceOf<Tree>>;

  Tree mean;         ///< Running mean of the gradients.
  Tree mean_square;  ///< Running mean of their squares.
  Steps steps = Steps(0);
};

/// Adam with decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101). Weight decay applies
/// to matrices and tensors of higher rank, not to vectors. PyTorch: `torch.optim.AdamW(lr, betas,
/// eps, weight_decay)`, with the same defaults.
struct AdamW {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 1e-2;

  template <class Tree>
  AdamWState<Tree> init(Tree const& model) const {
    return {internal::optim::zeros_of(model), internal::optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients,
                                         AdamWState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same with another learning rate, from a schedule: a number, or a scalar on the model's
  /// device.
  template <class Tree, internal::optim::Rate Rate>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients, AdamWState<Tree> state,
                                         Rate const& rate_now) const {
    state.steps = state.steps + 1;
    auto const scales = scales_at(state.steps, rate_now);
    internal::tree::zip(
        [&](auto& parameter, auto const& gradient, auto& mean, auto& mean_square) {
          update(scales, parameter, gradient, mean, mean_square);
        },
        model, gradients, state.mean, state.mean_square);
    return {std::move(model), std::move(state)};
  }

 private:
  /// The scalars of a step, the same for every element.
  template <class Number>
  struct Scales {
    Number whole;    ///< 1
    Number decayed;  ///< 1 - rate weight_decay
    Number step;     ///< rate / (1 - beta1^t)
    Number root;     ///< 1 / sqrt(1 - beta2^t)
  };

  /// On the host, in double,
  template <TensorType Steps, class Rate>
    requires Steps::device::is_host
  Scales<double> scales_at(Steps const& steps, Rate const& rate_now) const {
    auto const t = static_cast<double>(steps.item());
    auto const now = static_cast<double>(internal::optim::number_of(rate_now));
    return {1, 1 - now * weight_decay, now / (1 - std::pow(beta1, t)),
            1 / std::sqrt(1 - std::pow(beta2, t))};
  }

  /// or on a device with its own counter, in float: 1 - beta^t without cancellation.
  template <TensorType Steps, class Rate>
  auto scales_at(Steps const& steps, Rate const& rate_now) const {
    using Scalar = Float32<"", typename Steps::device>;
    Scalar const t = to<float>(steps), now = internal::optim::rate_tensor<Scalar>(rate_now);
    auto const rest = [&](double beta) { return -expm1(t * std::log(beta)); };
    return Scales<Scalar>{Scalar(1.0f), Scalar(1.0 - now * weight_decay), Scalar(now / rest(beta1)),
                          Scalar(rsqrt(rest(beta2)))};
  }

  template <class Number, TensorType Leaf>
  void update(Scales<Number> const& scales, Leaf& parameter, Leaf const& gradient, Leaf& mean,
              Leaf& mean_square) const {
    using Row = internal::optim::Row<Leaf>;
    Row p = internal::optim::row_of(parameter), m = internal::optim::row_of(mean),
        v = internal::optim::row_of(mean_square);
    update_row(scales, internal::optim::is_decayed<Leaf> ? scales.decayed : scales.whole, p,
               internal::optim::row_of(gradient), m, v);
    mean = internal::reshaped<Leaf>(m, mean.sizes());
    mean_square = internal::reshaped<Leaf>(v, mean_square.sizes());
    parameter = internal::reshaped<Leaf>(p, parameter.sizes());
  }

  template <class Number, TensorType Row>
  void update_row(Scales<Number> const& scales, Number const& kept, Row& parameter,
                  Row const& gradient, Row& mean, Row& mean_square) const {
    using internal::optim::as_number_for;
    mean = Row(beta1 * mean + (1 - beta1) * gradient);
    mean_square = Row(beta2 * mean_square + (1 - beta2) * square(gradient));
    parameter = Row(as_number_for<Row>(kept) * parameter -
                    as_number_for<Row>(scales.step) * mean /
                        (as_number_for<Row>(scales.root) * sqrt(mean_square) + epsilon));
  }
};

}  // namespace tenon
