#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <tenon/expr/map/functions.hpp>
#include <tenon/nn/conv.hpp>
#include <tenon/nn/sequential.hpp>

/// The residual blocks of ResNet, with the fields of torchvision's, so that paths of parameters are
/// those of its state: `layer1.0.conv1.weight`, `layer2.0.downsample.1.running_mean`.
namespace tenon::internal {

/// A convolution of a residual block, which keeps the sizes but for the stride.
template <Spec In, Spec Out, int size, int stride, class... Kind>
using BlockConv =
    Conv2d<In, Out, size, ConvOptions{.stride = stride, .padding = size / 2, .bias = false},
           Kind...>;

/// The operand of a block as it is added: changed where sizes or channels change.
template <Spec In, Spec Out, int stride, class... Kind>
using Downsample =
    std::conditional_t<stride == 1 && LayerAxis<In>::size == LayerAxis<Out>::size, Sequential<>,
                       Sequential<BlockConv<In, Out, 1, stride, Kind...>, BatchNorm<Out, Kind...>>>;

/// layer(x); in training the layer becomes that with new statistics.
template <class Layer, class X>
auto apply_layer(Layer const& layer, X&& x) {
  return layer(std::forward<X>(x));
}
template <class Layer, class X>
auto apply_layer(Layer& layer, X&& x, Training) {
  auto [y, next] = layer(std::forward<X>(x), Training{});
  layer = std::move(next);
  return y;
}

/// The value of a block; in training, the pair of it and of the block with new statistics.
template <class Block, class X>
auto call_block(Block const& block, X const& x) {
  return Block::run(block, x);
}
template <class Block, class X>
auto call_block(Block next, X const& x, Training) {
  auto y = Block::run(next, x, Training{});
  return std::pair(std::move(y), std::move(next));
}

/// The output's channels, a quarter of them.
template <Spec Out>
struct QuarterOf {
  static_assert(LayerAxis<Out>::size % 4 == 0,
                "tenon::Bottleneck: the channels are not a multiple of 4");
  static constexpr Shape shape =
      shape_of_axes({resized(LayerAxis<Out>::axis, LayerAxis<Out>::size / 4)});
};

}  // namespace tenon::internal

namespace tenon {

/// relu(x + f(x)) with f two convolutions of 3 x 3, each normalised, and `relu` between them:
/// `BasicBlock<"channel=64", "channel=128", 2>` maps "batch channel=64 height=8 width=8" to "batch
/// channel=128 height=4 width=4"; x goes through a strided convolution where its shape changes.
/// `block(x, Training{})` returns the pair of the value and the block with new statistics, as
/// `BatchNorm`. K. He et al., "Deep residual learning", 2015. torchvision: `resnet.BasicBlock`.
template <Spec In, Spec Out = In, int stride = 1, class... Kind>
struct BasicBlock {
  using First = internal::BlockConv<In, Out, 3, stride, Kind...>;

  First conv1;
  BatchNorm<Out, Kind...> bn1;
  internal::BlockConv<Out, Out, 3, 1, Kind...> conv2;
  BatchNorm<Out, Kind...> bn2;
  internal::Downsample<In, Out, stride, Kind...> downsample;

  template <Expression X, std::same_as<Training>... T>
    requires(!internal::Mistake<internal::LayerResult<First, X const&>>)
  auto operator()(X const& x, T... training) const {
    return internal::call_block(*this, x, training...);
  }
  template <class X, internal::Mistake R = internal::LayerResult<First, X const&>>
  auto operator()(X const& x, std::same_as<Training> auto...) const -> R;

  template <class Self, class X, class... T>
  static auto run(Self& block, X const& x, T... training) {
    using internal::apply_layer;
    internal::TensorOf<X> const from = x;
    auto const y = eval(relu(apply_layer(block.bn1, block.conv1(from), training...)));
    return eval(relu(apply_layer(block.bn2, block.conv2(y), training...) +
                     apply_layer(block.downsample, from, training...)));
  }
};

/// As `BasicBlock`, with f three convolutions of 1 x 1, 3 x 3 and 1 x 1; the first two have a
/// quarter of the output's channels: `Bottleneck<"channel=64", "channel=256">`. (In torchvision the
/// second number is that quarter.) The stride is that of the second. torchvision:
/// `resnet.Bottleneck`.
template <Spec In, Spec Out = In, int stride = 1, class... Kind>
struct Bottleneck {
  static constexpr auto width = internal::spec_of<internal::QuarterOf<Out>>;
  using First = internal::BlockConv<In, width, 1, 1, Kind...>;

  First conv1;
  BatchNorm<width, Kind...> bn1;
  internal::BlockConv<width, width, 3, stride, Kind...> conv2;
  BatchNorm<width, Kind...> bn2;
  internal::BlockConv<width, Out, 1, 1, Kind...> conv3;
  BatchNorm<Out, Kind...> bn3;
  internal::Downsample<In, Out, stride, Kind...> downsample;

  template <Expression X, std::same_as<Training>... T>
    requires(!internal::Mistake<internal::LayerResult<First, X const&>>)
  auto operator()(X const& x, T... training) const {
    return internal::call_block(*this, x, training...);
  }
  template <class X, internal::Mistake R = internal::LayerResult<First, X const&>>
  auto operator()(X const& x, std::same_as<Training> auto...) const -> R;

  template <class Self, class X, class... T>
  static auto run(Self& block, X const& x, T... training) {
    using internal::apply_layer;
    internal::TensorOf<X> const from = x;
    auto const y = eval(relu(apply_layer(block.bn1, block.conv1(from), training...)));
    auto const z = eval(relu(apply_layer(block.bn2, block.conv2(y), training...)));
    return eval(relu(apply_layer(block.bn3, block.conv3(z), training...) +
                     apply_layer(block.downsample, from, training...)));
  }
};

}  // namespace tenon
