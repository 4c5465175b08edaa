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

/// norm(conv(x)); in training `norm` gets new statistics.
template <class Conv, class Norm, class X>
auto normalize_conv(Conv const& conv, Norm const& norm, X const& x) {
  return norm(conv(x));
}
template <class Conv, class Norm, class X>
auto normalize_conv(Conv const& conv, Norm& norm, X const& x, Training) {
  auto [y, next] = norm(conv(x), Training{});
  norm = std::move(next);
  return y;
}

/// The sum at the end of a block; in training `downsample` gets new statistics.
template <class Y, class Layers, TensorType X>
TensorOf<Y> add_shortcut(Y&& y, Layers const& downsample, X const& x) {
  return relu(std::forward<Y>(y) + downsample(x));
}
template <class Y, class Layers, TensorType X>
TensorOf<Y> add_shortcut(Y&& y, Layers& downsample, X const& x, Training) {
  auto [shortcut, next] = downsample(x, Training{});
  downsample = std::move(next);
  return relu(std::forward<Y>(y) + shortcut);
}

/// A block in training: its value, and the block with new statistics.
template <class Block, class X>
auto train_block(Block next, X const& x) {
  auto y = Block::run(next, x, Training{});
  return std::pair(std::move(y), std::move(next));
}

/// The output's channels, a quarter of them.
template <Spec Out>
struct QuarterOf {
  static_assert(LayerAxis<Out>::size % 4 == 0,
                "tenon::Bottleneck: the channels are not a multiple of 4");
  static constexpr Shape shape = [] {
    Shape result{};
    result[result.rank++] = resized(LayerAxis<Out>::axis, LayerAxis<Out>::size / 4);
    return result;
  }();
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

  template <Expression X>
    requires(!internal::Mistake<internal::LayerResult<First, X const&>>)
  auto operator()(X const& x) const {
    return run(*this, x);
  }
  template <Expression X>
    requires(!internal::Mistake<internal::LayerResult<First, X const&>>)
  auto operator()(X const& x, Training) const {
    return internal::train_block(*this, x);
  }
  template <Expression X, internal::Mistake R = internal::LayerResult<First, X const&>>
  auto operator()(X const& x, std::same_as<Training> auto...) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&, std::same_as<Training> auto...) const -> X;

  template <class Self, class X, class... T>
  static auto run(Self& block, X const& x, T... training) {
    using internal::normalize_conv;
    internal::TensorOf<X> const from = x;
    auto const y = eval(relu(normalize_conv(block.conv1, block.bn1, from, training...)));
    return internal::add_shortcut(normalize_conv(block.conv2, block.bn2, y, training...),
                                  block.downsample, from, training...);
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

  template <Expression X>
    requires(!internal::Mistake<internal::LayerResult<First, X const&>>)
  auto operator()(X const& x) const {
    return run(*this, x);
  }
  template <Expression X>
    requires(!internal::Mistake<internal::LayerResult<First, X const&>>)
  auto operator()(X const& x, Training) const {
    return internal::train_block(*this, x);
  }
  template <Expression X, internal::Mistake R = internal::LayerResult<First, X const&>>
  auto operator()(X const& x, std::same_as<Training> auto...) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&, std::same_as<Training> auto...) const -> X;

  template <class Self, class X, class... T>
  static auto run(Self& block, X const& x, T... training) {
    using internal::normalize_conv;
    internal::TensorOf<X> const from = x;
    auto const y = eval(relu(normalize_conv(block.conv1, block.bn1, from, training...)));
    auto const z = eval(relu(normalize_conv(block.conv2, block.bn2, y, training...)));
    return internal::add_shortcut(normalize_conv(block.conv3, block.bn3, z, training...),
                                  block.downsample, from, training...);
  }
};

}  // namespace tenon
