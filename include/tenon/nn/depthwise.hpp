#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>

#include <tenon/eval/depthwise.hpp>
#include <tenon/nn/conv_adjoint.hpp>

/// Depthwise convolutional layers by the kernels of a backend, where it has them. The convolution
/// and its two adjoints are linear in each of their operands, and the adjoints of each are the
/// other two.
namespace tenon::internal {

/// The number of the axis of a layer's window that slides along this axis; -1 if none does.
template <class Layer, class X>
constexpr int window_axis(int axis) {
  for (int i = 0; i < Layer::Window::count; ++i)
    if (Layer::Window::along(X::shape, i) == axis) return i;
  return -1;
}

/// Whether a layer is computed by such kernels: it has a group for each channel, and its operand's
/// last axis is one of the windows, or that of the channels and as many outputs.
template <class Layer, class X>
constexpr bool is_depthwise() {
  if constexpr (Layer::groups == 1 || Layer::groups != Layer::in.size || !X::device::is_host)
    return false;
  else if constexpr (!ConvolvesDepthwise<X>) return false;
  else if constexpr (OperandParts<Layer, X>::channel == X::shape.rank - 1)
    return Layer::out.size == Layer::in.size;
  else return window_axis<Layer, X>(X::shape.rank - 1) >= 0;
}

/// The sizes of the result of a layer.
template <class Layer, TensorType X>
Sizes sizes_of_convolution(Sizes sizes) {
  at(sizes, OperandParts<Layer, X>::channel) = Layer::out.size;
  for (int i = 0; i < Layer::Window::count; ++i) {
    std::int64_t& size = at(sizes, Layer::Window::along(X::shape, i));
    std::int64_t const length = Layer::dilation[i] * (Layer::Window::shape[i].size - 1);
    size += Layer::margins.before[i] + Layer::margins.behind[i] - length - 1;
    size = floor_of(size, Layer::stride[i]) + 1;
  }
  return sizes;
}

/// Number `i` of the axes of a layer's window, `axis` of the operand.
template <class Layer>
DepthwiseAxis depthwise_axis(int i, std::int64_t in, std::int64_t out) {
  DepthwiseAxis result{in,
                       out,
                       Layer::Window::shape[i].size,
                       Layer::stride[i],
                       Layer::dilation[i],
                       Layer::margins.before[i]};
  result.window_step = 1;
  for (int k = i + 1; k < Layer::Window::count; ++k)
    result.window_step *= Layer::Window::shape[k].size;
  return result;
}

/// The sizes of the convolution of an operand `X` of these sizes.
template <class Layer, TensorType X>
DepthwiseNumbers depthwise_numbers(Sizes const& in) {
  constexpr int rank = X::shape.rank, channel = OperandParts<Layer, X>::channel;
  Sizes const out = sizes_of_convolution<Layer, X>(in);
  Sizes const in_steps = row_major(in, rank), out_steps = row_major(out, rank);
  DepthwiseNumbers result;
  result.channels = Layer::in.size, result.multiplier = Layer::out.size / Layer::in.size;
  result.in_channel = at(in_steps, channel), result.out_channel = at(out_steps, channel);
  result.channels_last = channel == rank - 1;
  std::size_t next = std::size_t{3} - std::size_t{Layer::Window::count};
  for (int axis = 0; axis < rank; ++axis) {
    if (axis == channel) continue;
    int const i = window_axis<Layer, X>(axis);
    if (i < 0) {
      result.batch.add({at(in, axis), at(in_steps, axis), 0, at(out_steps, axis)});
    } else {
      DepthwiseAxis& own = result.axis[next++];
      own = depthwise_axis<Layer>(i, at(in, axis), at(out, axis));
      own.in_step = at(in_steps, axis), own.out_step = at(out_steps, axis);
    }
  }
  return result;
}

/// Whether no element is NaN or infinite.
template <TensorType W>
bool is_finite(W const& weight) {
  auto const* const first = stored_elements(weight);
  return std::all_of(first, first + weight.size(), [](auto x) { return std::isfinite(x); });
}

/// The three operations between an operand `X`, a weight `W` and a result `Y` of a layer, each with
/// its adjoints. Those of constants are not read.
template <class Layer, TensorType X, TensorType W, TensorType Y>
struct DepthwiseLayer {
  using Backend = BackendOf<typename X::device>;

  static Y convolve(X const& x, W const& weight) {
    bool const moves_x = depends_on_recording(x), moves_weight = depends_on_recording(weight);
    auto const forward = [](X const& of, W const& by) {
      Y y = Y::uninitialised(sizes_of_convolution<Layer, X>(of.sizes()));
      if (y.size() > 0)
        Backend::convolve_depthwise(depthwise_numbers<Layer, X>(of.sizes()), stored_elements(of),
                                    stored_elements(by), y.own_memory());
      ++kernels_run;
      return y;
    };
    auto const backward = [=](Y const& dy, Y const&, X const& of, W const& by) {
      return std::tuple<X, W>(moves_x ? operand_adjoint(dy, by, of.sizes()) : of,
                              moves_weight ? weight_adjoint(of, dy) : by);
    };
    return custom_vjp(forward, backward)(x, weight);
  }

  /// The adjoint of the operand, of these sizes. (Zeros around the result's adjoint times a kernel
  /// that is not finite would be NaN.)
  static X operand_adjoint(Y const& dy, W const& weight, Sizes const& sizes) {
    bool const moves_dy = depends_on_recording(dy), moves_weight = depends_on_recording(weight);
    auto const forward = [=](Y const& of, W const& by) {
      if (!is_finite(by)) return internal::operand_adjoint<X, Layer>(of, by, sizes);
      X x = X::uninitialised(sizes);
      if (x.size() > 0)
        Backend::depthwise_operand_adjoint(depthwise_numbers<Layer, X>(sizes), stored_elements(of),
                                           stored_elements(by), x.own_memory());
      ++kernels_run;
      return x;
    };
    auto const backward = [=](X const& dx, X const&, Y const& of, W const& by) {
      return std::tuple<Y, W>(moves_dy ? convolve(dx, by) : of,
                              moves_weight ? weight_adjoint(dx, of) : by);
    };
    return custom_vjp(forward, backward)(dy, weight);
  }

  static W weight_adjoint(X const& x, Y const& dy) {
    bool const moves_x = depends_on_recording(x), moves_dy = depends_on_recording(dy);
    auto const forward = [](X const& of, Y const& by) {
      W weight = W::uninitialised(static_sizes_of<W>);
      Backend::depthwise_weight_adjoint(depthwise_numbers<Layer, X>(of.sizes()),
                                        stored_elements(of), stored_elements(by),
                                        weight.own_memory());
      ++kernels_run;
      return weight;
    };
    auto const backward = [=](W const& dweight, W const&, X const& of, Y const& by) {
      return std::tuple<X, Y>(moves_x ? operand_adjoint(by, dweight, of.sizes()) : of,
                              moves_dy ? convolve(of, dweight) : by);
    };
    return custom_vjp(forward, backward)(x, dy);
  }
};

/// Whether the windows of a layer fit into an operand with its margins.
template <class Layer, TensorType X>
bool has_windows(Sizes const& sizes) {
  Sizes const result = sizes_of_convolution<Layer, X>(sizes);
  for (int i = 0; i < Layer::Window::count; ++i)
    if (at(result, Layer::Window::along(X::shape, i)) < 1) return false;
  return true;
}

/// The value of a convolutional layer. In a trace, and for windows that do not fit, a contraction.
template <class Layer, TensorType X, TensorType W>
auto convolve_layer(X const& x, W const& weight) {
  if constexpr (is_depthwise<Layer, X>()) {
    using Y = decltype(convolve_windows<Layer>(pad_operand<Layer>(x), weight));
    check_channels<Layer>(x);
    bool const is_plain =
        tracing::is_on() || !has_windows<Layer, X>(x.sizes()) || !is_finite(weight);
    if (!is_plain) return DepthwiseLayer<Layer, X, W, Y>::convolve(x, weight);
  }
  return convolve_windows<Layer>(pad_operand<Layer>(x), weight);
}

}  // namespace tenon::internal
