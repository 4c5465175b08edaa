#pragma once

#include <array>
#include <cstdint>

#include <tenon/eval/backend.hpp>
#include <tenon/eval/contract/labelled.hpp>

/// Depthwise convolutions as an operation of their own, for backends that implement it.
namespace tenon::internal {

/// One axis along which the windows of a depthwise convolution slide. Place k of the window at
/// `position` is element `position * stride + k * dilation - before` of the operand; elements
/// outside of it are zero.
struct DepthwiseAxis {
  std::int64_t in = 1, out = 1, window = 1, stride = 1, dilation = 1, before = 0;
  /// From one element to the next, in the operand, the result and the kernel.
  std::int64_t in_step = 0, out_step = 0, window_step = 0;
};

/// The sizes of a depthwise convolution. Every channel of the operand has `multiplier` kernels, and
/// as many channels of the result, one after the other. Tensors are row-major; the last axis is one
/// of the windows, or that of the channels, where the multiplier is 1.
struct DepthwiseNumbers {
  std::array<DepthwiseAxis, 3> axis{};  ///< The outermost first; missing ones come first.
  LoopLabels batch{};                   ///< Strides in the operand (`a`) and the result (`c`).
  std::int64_t channels = 1, multiplier = 1;
  std::int64_t in_channel = 0, out_channel = 0;  ///< From one channel to the next.
  bool channels_last = false;

  /// The elements of one channel's kernel.
  std::int64_t window() const { return axis[0].window * axis[1].window * axis[2].window; }
};

/// Whether a device has kernels for depthwise convolutions of tensors of this type.
template <class X>
concept ConvolvesDepthwise =
    BackendOf<typename X::device>::template convolves_depthwise<typename X::value_type>;

}  // namespace tenon::internal
