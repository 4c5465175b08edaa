#pragma once

#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/nn/conv_layer.hpp>

namespace tenon {

/// The options of `ConvTranspose1d` to `ConvTranspose3d`, in PyTorch's order; one number for all
/// axes, or one for each. `padding` elements are dropped at both ends of the result,
/// `output_padding` added behind.
struct ConvTransposeOptions {
  internal::PerAxis stride = 1;
  internal::PerAxis padding = 0;
  internal::PerAxis output_padding = 0;
  std::int64_t groups = 1;
  bool bias = true;
  internal::PerAxis dilation = 1;
};

}  // namespace tenon

namespace tenon::internal {

template <class E, int axis>
struct UnitBehind {
  static constexpr Shape shape = inserted(E::shape, axis + 1, axis_of_size(1));
};
template <class E, int axis, std::int64_t stride>
struct SpreadAxis {
  static constexpr Shape shape =
      with_axis(E::shape, axis,
                resized(E::shape[axis], symbolic_extent(E::shape[axis]) * number_extent(stride)));
};

/// Zeros behind every element of an axis: "height" becomes "height=2*height".
template <int axis, std::int64_t stride, TensorType X>
auto spread_axis(X const& x) {
  using T = typename X::value_type;
  using D = typename X::device;
  if constexpr (stride == 1) return x;
  else {
    Sizes sizes = x.sizes();
    auto const units = reshaped<Tensor<T, spec_of<UnitBehind<X, axis>>, D>>(
        x, sizes_in_parts(sizes, axis, at(sizes, axis), 1));
    at(sizes, axis) *= stride;
    return reshaped<Tensor<T, spec_of<SpreadAxis<X, axis, stride>>, D>>(
        pad<Axes(axis + 1), 0, stride - 1>(units), sizes);
  }
}

template <class Rule, int i = 0, TensorType X>
auto spread_axes(X const& x) {
  if constexpr (i == Rule::Window::count) return x;
  else
    return spread_axes<Rule, i + 1>(
        spread_axis<Rule::Window::along(X::shape, i), Rule::spread[i]>(x));
}

/// `x` without the elements that negative margins drop.
template <class Rule, int i = 0, TensorType X>
auto drop_margins(X const& x) {
  if constexpr (i == Rule::Window::count) return x;
  else if constexpr (!Rule::margins.drops(i)) return drop_margins<Rule, i + 1>(x);
  else {
    constexpr std::int64_t begin = at_least_0(-Rule::margins.before[i]),
                           end = at_least_0(-Rule::margins.behind[i]);
    return drop_margins<Rule, i + 1>(evaluate_expression(
        slice < Axes(Rule::Window::along(X::shape, i)), begin, end == 0 ? to_end : -end > (x)));
  }
}

/// The operand of a transposed convolution.
template <class Rule, TensorType X>
auto spread_and_padded(X const& x) {
  return padded_with<typename Rule::Window, Rule::margins>(
      drop_margins<Rule>(spread_axes<Rule>(x)));
}

/// The zeros around the spread operand, which has zeros behind its last element already.
constexpr Margins margins_of(ConvTransposeOptions const& options, Shape const& window) {
  Margins result{};
  for (int i = 0; i < window.rank; ++i) {
    std::int64_t const reach = (window[i].size - 1) * options.dilation[i];
    result.before[i] = reach - options.padding[i];
    result.behind[i] =
        reach - options.padding[i] + options.output_padding[i] - (options.stride[i] - 1);
  }
  return result;
}

/// The rule of `ConvTranspose1d` to `3d`: a convolution of the operand, with zeros between its
/// elements, with the reversed weight.
template <int count, Spec In, Spec Out, WindowSize size, ConvTransposeOptions options>
struct ConvTransposeRule : ConvChannels<In, Out, options.groups>,
                           LayerName<"ConvTranspose", count> {
  using Window = internal::Window<count, size>;
  using Channels = ConvChannels<In, Out, options.groups>;
  static_assert(options.stride.is_for(count, 1) && options.dilation.is_for(count, 1) &&
                    options.padding.is_for(count, 0) && options.output_padding.is_for(count, 0),
                "tenon::nn: stride and dilation begin at 1, padding at 0: one number, or one for "
                "each axis");
  static constexpr Shape weight =
      Channels::weight_shape(Channels::in, Channels::out, Window::shape);
  static constexpr int in_place = 0, window_place = 2;
  static constexpr PerAxis stride = 1, spread = options.stride, dilation = options.dilation;
  static constexpr Margins margins = margins_of(options, Window::shape);
  static_assert(
      [] {
        for (int i = 0; i < count; ++i)
          if (options.output_padding[i] >= (std::max)(options.stride[i], options.dilation[i]))
            return false;
        return true;
      }(),
      "tenon::nn: the output padding is less than the stride or the dilation");

  template <TensorType X>
  static auto padded(X const& x) {
    return spread_and_padded<ConvTransposeRule>(x);
  }
  template <TensorType W>
  static W kernel(W const& whole) {
    return flip<axes_of_window<Window>>(whole);
  }
};

}  // namespace tenon::internal

namespace tenon {

/// A transposed convolution along "time", as `ConvTranspose2d`. PyTorch: `nn.ConvTranspose1d`.
template <Spec In, Spec Out, internal::WindowSize size,
          ConvTransposeOptions options = ConvTransposeOptions{}, class... Kind>
using ConvTranspose1d =
    internal::ConvLayer<options.bias, internal::ConvTransposeRule<1, In, Out, size, options>,
                        Kind...>;

/// The transpose of a convolution along "height width": `ConvTranspose2d<"feature=64", "channel=3",
/// 2, ConvTransposeOptions{.stride = 2}>` maps "batch feature=64 height=8 width=8" to "batch
/// channel=3 height=16 width=16". Windows and axes are those of `Conv2d`. `weight` is "feature=64
/// channel=3 height=2 width=2" as PyTorch's, with "channel=3/groups". PyTorch:
/// `nn.ConvTranspose2d`.
template <Spec In, Spec Out, internal::WindowSize size,
          ConvTransposeOptions options = ConvTransposeOptions{}, class... Kind>
using ConvTranspose2d =
    internal::ConvLayer<options.bias, internal::ConvTransposeRule<2, In, Out, size, options>,
                        Kind...>;

/// A transposed convolution along "depth height width", as `ConvTranspose2d`. PyTorch:
/// `nn.ConvTranspose3d`.
template <Spec In, Spec Out, internal::WindowSize size,
          ConvTransposeOptions options = ConvTransposeOptions{}, class... Kind>
using ConvTranspose3d =
    internal::ConvLayer<options.bias, internal::ConvTransposeRule<3, In, Out, size, options>,
                        Kind...>;

}  // namespace tenon
