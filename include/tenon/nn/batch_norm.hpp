#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/reduction/mean.hpp>
#include <tenon/nn/layer_norm.hpp>
#include <tenon/tree/leaf.hpp>

namespace tenon {

/// An argument of layers that differ in training, `norm(x, Training{})`: the result is the pair of
/// the value and of the layer after it. PyTorch: `module.train()`.
struct Training {};

}  // namespace tenon

namespace tenon::internal {

constexpr Axes axis_by_name(std::string_view name) {
  Axes result{};
  result.names = FixedText(name);
  return result;
}

/// The axis of the channels by its name, and all others. (Variables: g++ 12 crashes on members.)
template <Spec Channel>
inline constexpr Axes channel_axis = axis_by_name(LayerAxis<Channel>::axis.name.view());
template <Spec Channel>
inline constexpr Axes all_but_channel = all_but(LayerAxis<Channel>::axis.name.view());

/// Names the reason why `X` has no such channels beside the axes `along`; `void` where it has.
template <class Layer, class X, Spec Channel, Axes own, Axes along>
constexpr auto channel_mistake() {
  static_assert(LayerAxis<Channel>::axis.is_named(), "tenon::nn: the channels have no name");
  using Found = Chosen<own, X>;
  if constexpr (Mistake<X>) return std::type_identity<X>{};
  else if constexpr (!Found::ok) return choice_mistake<Layer, own, X>();
  else if constexpr (constexpr int axis = Found::value.axis();
                     !agree(X::shape[axis], LayerAxis<Channel>::axis))
    return axes_differ<Layer, X, axis, AxesInOrder<Channel>, 0>();
  else if constexpr (X::shape.rank < 2) return rank_mistake<Layer, X, 2>();
  else if constexpr (!Chosen<along, X>::ok) return choice_mistake<Layer, along, X>();
  else return std::type_identity<void>{};
}
template <class Layer, LayerOperand X, Spec Channel, Axes along = every>
using ChannelMistake = typename decltype(channel_mistake<Layer, Unqualified<X>, Channel,
                                                         channel_axis<Channel>, along>())::type;

/// `x` with mean 0 and variance 1 along some axes.
template <Axes axes, Expression X, class T>
constexpr auto standardise(X const& x, T epsilon) {
  auto const centred = x - mean<axes>(x, keep);
  return centred * rsqrt(mean<axes>(square(centred), keep) + epsilon);
}

}  // namespace tenon::internal

namespace tenon {

/// Normalises every channel over all other axes, whichever they are, then applies a learned scale
/// and shift: `BatchNorm<"channel=16">` maps "batch channel=16 height width" to the same. `norm(x)`
/// takes the running mean and variance, and is lazy. `norm(x, Training{})` takes those of `x`, and
/// returns the pair of the result and the layer with new running statistics, which are not learned:
/// an optimiser steps that layer. Throws `ValueError` for one value a channel. S. Ioffe and C.
/// Szegedy, 2015. PyTorch: `nn.BatchNorm1d` to `nn.BatchNorm3d`.
template <Spec Channel, class... Kind>
struct BatchNorm {
  static constexpr std::string_view name = "BatchNorm";
  using Row = internal::LayerTensor<internal::LayerKind<Kind...>, Channel>;
  using T = typename Row::value_type;

  Row weight = internal::ones_if_static<Row>();
  Row bias;
  Frozen<Row> running_mean;
  Frozen<Row> running_var = internal::ones_if_static<Row>();
  std::int64_t num_batches_tracked = 0;
  double epsilon = 1e-5;                 ///< Added to the variance.
  std::optional<double> momentum = 0.1;  ///< Of new statistics; none: the mean of all batches.

  template <Expression X>
    requires std::is_void_v<internal::ChannelMistake<BatchNorm, X, Channel>>
  auto operator()(X&& x) const {
    return (std::forward<X>(x) - *running_mean) * rsqrt(*running_var + epsilon) * weight + bias;
  }
  template <Expression X>
    requires std::is_void_v<internal::ChannelMistake<BatchNorm, X, Channel>>
  auto operator()(X&& x, Training) const {
    constexpr internal::Axes others = internal::all_but_channel<Channel>;
    internal::TensorOf<X> const values = std::forward<X>(x);
    Row const centre = mean<others>(values);
    Row const variance = mean<others>(square(values - centre));
    internal::TensorOf<X> y = (values - centre) * rsqrt(variance + epsilon) * weight + bias;
    return std::pair(std::move(y), track(internal::reduced_elements<others>(values),
                                         stop_gradient(centre), stop_gradient(variance)));
  }
  template <class X, internal::Mistake R = internal::ChannelMistake<BatchNorm, X, Channel>>
  auto operator()(X const& x, std::same_as<Training> auto...) const -> R;

  BatchNorm init_parameters(auto& initializer) const {
    return {initializer.ones(weight),
            initializer.zeros(bias),
            initializer.zeros(*running_mean),
            initializer.ones(*running_var),
            0,
            epsilon,
            momentum};
  }

 private:
  BatchNorm track(std::int64_t values, Row const& centre, Row const& variance) const {
    if (values == 1)
      internal::fail<ValueError>({name, {}, "more than 1 value per channel in training", "1", {}});
    auto const n = static_cast<double>(values);
    double const rate = momentum.value_or(1.0 / static_cast<double>(num_batches_tracked + 1));
    BatchNorm next = *this;
    ++next.num_batches_tracked;
    if (values == 0) return next;
    next.running_mean = Row((1 - rate) * *running_mean + rate * centre);
    next.running_var = Row((1 - rate) * *running_var + rate * n / (n - 1) * variance);
    return next;
  }
};

/// `BatchNorm`, which takes any axes. PyTorch: `nn.BatchNorm1d`.
template <Spec Channel, class... Kind>
using BatchNorm1d = BatchNorm<Channel, Kind...>;
/// The same. PyTorch: `nn.BatchNorm2d`.
template <Spec Channel, class... Kind>
using BatchNorm2d = BatchNorm<Channel, Kind...>;
/// The same. PyTorch: `nn.BatchNorm3d`.
template <Spec Channel, class... Kind>
using BatchNorm3d = BatchNorm<Channel, Kind...>;

}  // namespace tenon
