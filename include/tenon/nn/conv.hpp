#pragma once

#include <tenon/nn/depthwise.hpp>

namespace tenon::internal {

/// Zeros at both ends of each axis: numbers, or "same" and "valid".
struct ConvPadding {
  PerAxis number = 0;
  bool is_same = false, is_known = true;

  constexpr ConvPadding(int all) : number(all) {}
  constexpr ConvPadding(std::int64_t a, std::int64_t b) : number(a, b) {}
  constexpr ConvPadding(std::int64_t a, std::int64_t b, std::int64_t c) : number(a, b, c) {}
  constexpr ConvPadding(char const* word)
      : is_same(std::string_view(word) == "same"),
        is_known(is_same || std::string_view(word) == "valid") {}
};

}  // namespace tenon::internal

namespace tenon {

/// The options of `Conv1d`, `Conv2d` and `Conv3d`, in PyTorch's order: one number for all axes, or
/// one for each, `{.stride = {2, 1}}`. `padding` may be "same" (the size stays) or "valid" (none).
/// `groups` parts of the input are mapped to as many parts of the output; with as many as channels
/// the convolution is depthwise. `allow_winograd` permits Winograd's algorithm, as for `convolve`.
struct ConvOptions {
  internal::PerAxis stride = 1;
  internal::ConvPadding padding = 0;
  internal::PerAxis dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  bool allow_winograd = false;
};

}  // namespace tenon

namespace tenon::internal {

/// The zeros around the operand of a convolution.
constexpr Margins margins_of(ConvOptions const& options, Shape const& window) {
  Margins result{};
  for (int i = 0; i < window.rank; ++i) {
    std::int64_t const number = options.padding.number[i];
    std::int64_t const all =
        options.padding.is_same ? (window[i].size - 1) * options.dilation[i] : 2 * number;
    result.before[i] = all / 2;
    result.behind[i] = all - all / 2;
  }
  return result;
}

/// The rule of `Conv1d`, `Conv2d` and `Conv3d`.
template <int count, Spec In, Spec Out, WindowSize size, ConvOptions options>
struct ConvRule : ConvChannels<In, Out, options.groups>, LayerName<"Conv", count> {
  using Window = internal::Window<count, size>;
  using Channels = ConvChannels<In, Out, options.groups>;
  static_assert(options.stride.is_for(count, 1) && options.dilation.is_for(count, 1) &&
                    options.padding.number.is_for(count, 0),
                "tenon::nn: stride and dilation begin at 1, padding at 0: one number, or one for "
                "each axis");
  static_assert(options.padding.is_known, "tenon::nn: padding is a number, \"same\" or \"valid\"");
  static_assert(!options.padding.is_same ||
                    (options.stride[0] == 1 && options.stride[1] == 1 && options.stride[2] == 1),
                "tenon::nn: padding \"same\" needs a stride of 1");
  static constexpr Shape weight =
      Channels::weight_shape(Channels::out, Channels::in, Window::shape);
  static constexpr int in_place = 1, window_place = 2;
  static constexpr PerAxis stride = options.stride, dilation = options.dilation;
  static constexpr bool allow_winograd = options.allow_winograd;
  static constexpr Margins margins = margins_of(options, Window::shape);

  using Checked = ConvRule;
  static auto convolve_operand(TensorType auto const& x, TensorType auto const& whole) {
    return convolve_layer<ConvRule>(x, whole);
  }
};

}  // namespace tenon::internal

namespace tenon {

/// A convolution along the axis "time": `Conv1d<"channel=3", "feature=8", 5>` maps "batch channel=3
/// time" to "batch feature=8 time=time-4"; otherwise as `Conv2d`. PyTorch: `nn.Conv1d`.
template <Spec In, Spec Out, internal::WindowSize size, ConvOptions options = ConvOptions{},
          class... Kind>
using Conv1d =
    internal::ConvLayer<options.bias, internal::ConvRule<1, In, Out, size, options>, Kind...>;

/// A convolution along "height width": `Conv2d<"channel=3", "feature=64", 3>` maps "batch channel=3
/// height width" to "batch feature=64 height=height-2 width=width-2". The axes may stand in any
/// order, and others, or none, are a batch. A window `"height=3 width=5"` has two sizes, `"row=3
/// column=3"` other axes; `ConvOptions{.stride = 2, .padding = 1}` follows. `weight` is "feature=64
/// channel=3 height=3 width=3" as PyTorch's, with "channel=3/groups". The result is lazy:
/// `relu(conv(x))` is one kernel. `init::kaiming_uniform<Layer>(key, 1 / std::sqrt(3))` draws the
/// weights as PyTorch does. Throws `IndexError` where an axis is too short. PyTorch: `nn.Conv2d`.
template <Spec In, Spec Out, internal::WindowSize size, ConvOptions options = ConvOptions{},
          class... Kind>
using Conv2d =
    internal::ConvLayer<options.bias, internal::ConvRule<2, In, Out, size, options>, Kind...>;

/// A convolution along "depth height width", as `Conv2d`. PyTorch: `nn.Conv3d`.
template <Spec In, Spec Out, internal::WindowSize size, ConvOptions options = ConvOptions{},
          class... Kind>
using Conv3d =
    internal::ConvLayer<options.bias, internal::ConvRule<3, In, Out, size, options>, Kind...>;

}  // namespace tenon
