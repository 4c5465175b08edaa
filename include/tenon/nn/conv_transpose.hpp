#pragma once

#include <numeric>

#include <tenon/core/language/division.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/nn/conv_adjoint.hpp>

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

/// Along one axis, the elements r, r + stride, ... of a transposed convolution: a convolution with
/// the reversed `terms` elements `first`, `first + step`, ... of the kernel.
struct TransposeAxis {
  std::int64_t first, step, terms, dilation, before, behind;
  std::int64_t dropped;  ///< Behind the end of the result, where the last elements r are.

  static constexpr TransposeAxis of(ConvTransposeOptions const& options, int i, std::int64_t length,
                                    std::int64_t r) {
    std::int64_t const stride = options.stride[i], dilation = options.dilation[i];
    std::int64_t const common = std::gcd(stride, dilation), at = r + options.padding[i];
    std::int64_t const more =
        dilation * (length - 1) + options.output_padding[i] - 2 * options.padding[i];
    TransposeAxis result{0, stride / common, 0, dilation / common, 0, 0, 0};
    while (result.first < length && (dilation * result.first - at) % stride != 0) ++result.first;
    if (result.first < length) result.terms = (length - 1 - result.first) / result.step + 1;
    std::int64_t const shift = (at - dilation * result.first) / stride;
    result.before = result.dilation * (result.terms - 1) - shift;
    result.behind = floor_of(more, stride) + shift;
    result.dropped = stride - 1 - (more - floor_of(more, stride) * stride);
    return result;
  }
};

/// One of the convolutions of a transposed convolution: the elements whose indices have the same
/// remainders by the strides.
template <class Rule, std::int64_t number>
struct TransposePhase : Rule {
  static constexpr PerAxis remainders = [] {
    PerAxis result = 0;
    std::int64_t rest = number;
    for (int i = Rule::Window::count; i-- > 0; rest /= Rule::options.stride[i])
      result.number[i] = rest % Rule::options.stride[i];
    return result;
  }();
  static constexpr auto along = [] {
    std::array<TransposeAxis, 3> result{};
    for (std::size_t k = 0; k < std::size_t{Rule::Window::count}; ++k) {
      int const i = static_cast<int>(k);
      result[k] = TransposeAxis::of(Rule::options, i, Rule::Window::shape[i].size, remainders[i]);
    }
    return result;
  }();
  static constexpr PerAxis terms{along[0].terms, along[1].terms, along[2].terms};
  static constexpr bool is_zero = [] {
    for (int i = 0; i < Rule::Window::count; ++i)
      if (terms[i] == 0) return true;
    return false;
  }();
  using Window = ResizedWindow<typename Rule::Window, terms>;
  static constexpr Shape weight = Rule::weight_with(Window::shape);
  static constexpr PerAxis stride = 1,
                           dilation{along[0].dilation, along[1].dilation, along[2].dilation};
  static constexpr Margins margins{{along[0].before, along[1].before, along[2].before},
                                   {along[0].behind, along[1].behind, along[2].behind}};
  static constexpr Margins of_result{{}, {-along[0].dropped, -along[1].dropped, -along[2].dropped}};
  template <int i = 0, TensorType W>
  static auto kernel(W const& whole) {
    if constexpr (i == Window::count) {
      using T = typename W::value_type;
      return Tensor<T, spec_of<WeightRule<TransposePhase>>, typename W::device>(
          flip<axes_of_window<typename Rule::Window>>(whole));
    } else {
      constexpr TransposeAxis const& each = along[std::size_t{i}];
      if constexpr (each.first == 0 && each.step == 1) return kernel<i + 1>(whole);
      else
        return kernel<i + 1>(evaluate_expression(
            slice<Axes(Rule::window_place + i), each.first, to_end, each.step>(whole)));
    }
  }
};

/// The shape of a phase with an axis behind each axis of the window: of size 1, or of the stride
/// for the elements of all phases; and that of the result.
template <class Rule, class E, bool all>
struct PhasesBehind {
  static constexpr Shape shape = [] {
    Shape result{};
    for (int i = 0; i < E::shape.rank; ++i) {
      result[result.rank++] = E::shape[i];
      for (int k = 0; k < Rule::Window::count; ++k)
        if (i == Rule::Window::along(E::shape, k))
          result[result.rank++] = axis_of_size(all ? Rule::options.stride[k] : 1);
    }
    return result;
  }();
};
template <class Rule, class E>
struct AllPhases {
  static constexpr Shape shape = [] {
    Shape result = E::shape;
    for (int k = 0; k < Rule::Window::count; ++k) {
      int const axis = Rule::Window::along(E::shape, k);
      result = with_axis(result, axis,
                         resized(result[axis], symbolic_extent(result[axis]) *
                                                   number_extent(Rule::options.stride[k])));
    }
    return result;
  }();
};

/// The numbers of axes, with those of a window behind its axes: sizes of `PhasesBehind`, or the
/// place of an element there.
template <class Window, class E>
Sizes with_phases(Sizes const& of_axes, PerAxis const& of_window) {
  Sizes result = of_axes;
  int next = 0;
  for (int i = 0; i < E::shape.rank; ++i) {
    at(result, next++) = at(of_axes, i);
    for (int k = 0; k < Window::count; ++k)
      if (i == Window::along(E::shape, k)) at(result, next++) = of_window[k];
  }
  return result;
}

/// One phase, with axes of size 1 for those of all phases.
template <class Rule, class Phase, TensorType X, TensorType W>
auto convolve_phase(X const& x, W const& weight) {
  auto const y =
      evaluate_expression(convolve_windows<Phase>(pad_operand<Phase>(x), Phase::kernel(weight)));
  using Y = Unqualified<decltype(y)>;
  using R = TensorUnder<PhasesBehind<Rule, Y, false>, Y>;
  return std::tuple(y, reshaped<R>(y, with_phases<typename Rule::Window, Y>(y.sizes(), 1)));
}

/// All phases, side by side. (A phase without terms is zero.)
template <class Rule, TensorType X, TensorType W, std::size_t... i>
auto convolve_phases(X const& x, W const& weight, std::index_sequence<i...>) {
  auto const all =
      std::make_tuple(convolve_phase<Rule, typename Rule::template Number<i>>(x, weight)...);
  auto const& y = std::get<0>(std::get<0>(all));
  using Y = Unqualified<decltype(y)>;
  using Side = TensorUnder<PhasesBehind<Rule, Y, true>, Y>;
  Sizes sizes = y.sizes();
  using Window = typename Rule::Window;
  std::array<ElementIndex, sizeof...(i)> const starts{
      with_phases<Window, Y>({}, Rule::template Number<i>::remainders)...};
  auto const joined = assembled(
      filled(Side::uninitialised(with_phases<Window, Y>(sizes, Rule::options.stride)), {}), starts,
      0, std::get<1>(std::get<i>(all))...);
  for (int k = 0; k < Window::count; ++k)
    at(sizes, Window::along(Y::shape, k)) *= Rule::options.stride[k];
  return pad_margins<Window, Rule::First::of_result>(
      reshaped<TensorUnder<AllPhases<Rule, Y>, Y>>(joined, sizes));
}

/// The numbers of the phases that have terms.
template <class Rule>
struct PhaseNumbers {
  static constexpr std::int64_t count = [] {
    std::int64_t product = 1;
    for (int i = 0; i < Rule::Window::count; ++i) product *= Rule::options.stride[i];
    return product;
  }();
  static constexpr auto numbers = []<std::int64_t... i>(std::integer_sequence<std::int64_t, i...>) {
    constexpr std::size_t used = (0 + ... + (TransposePhase<Rule, i>::is_zero ? 0 : 1));
    std::array<std::int64_t, used> result{};
    std::size_t next = 0;
    ((TransposePhase<Rule, i>::is_zero ? void() : (void)(result[next++] = i)), ...);
    return result;
  }(std::make_integer_sequence<std::int64_t, count>());
};

/// The convolution of which a layer is the transpose, with the same weight: from the adjoint of the
/// result to that of the operand.
template <int count, Spec In, Spec Out, WindowSize size, ConvTransposeOptions options>
struct TransposedRule : ConvChannels<Out, In, options.groups>, LayerName<"ConvTranspose", count> {
  using Window = internal::Window<count, size>;
  using Channels = ConvChannels<Out, In, options.groups>;
  static constexpr Shape weight =
      Channels::weight_shape(Channels::out, Channels::in, Window::shape);
  static constexpr int in_place = 1, window_place = 2;
  static constexpr PerAxis stride = options.stride, dilation = options.dilation;
  static constexpr Margins margins = [] {
    Margins result{};
    for (int i = 0; i < count; ++i) {
      result.before[i] = options.padding[i];
      result.behind[i] = options.padding[i] - options.output_padding[i];
    }
    return result;
  }();
};

/// The numbers of a transposed convolution.
template <int count, Spec In, Spec Out, WindowSize size, ConvTransposeOptions options_>
struct ConvTransposeNumbers : ConvChannels<In, Out, options_.groups>,
                              LayerName<"ConvTranspose", count> {
  static constexpr ConvTransposeOptions options = options_;
  using Transposed = TransposedRule<count, In, Out, size, options>;
  using Window = internal::Window<count, size>;
  using Channels = ConvChannels<In, Out, options.groups>;
  static_assert(options.stride.is_for(count, 1) && options.dilation.is_for(count, 1) &&
                    options.padding.is_for(count, 0) && options.output_padding.is_for(count, 0),
                "tenon::nn: stride and dilation begin at 1, padding at 0: one number, or one for "
                "each axis");
  static constexpr Shape weight_with(Shape const& window) {
    return Channels::weight_shape(Channels::in, Channels::out, window);
  }
  static constexpr Shape weight = weight_with(Window::shape);
  static constexpr int in_place = 0, window_place = 2;
  static_assert(
      [] {
        for (int i = 0; i < count; ++i)
          if (options.output_padding[i] >= (std::max)(options.stride[i], options.dilation[i]))
            return false;
        return true;
      }(),
      "tenon::nn: the output padding is less than the stride or the dilation");
};

/// The sizes of a transposed convolution of an operand.
template <class Numbers, TensorType X>
Sizes transposed_sizes(Sizes sizes) {
  constexpr ConvTransposeOptions const& options = Numbers::options;
  at(sizes, OperandParts<Numbers, X>::channel) = Numbers::out.size;
  for (int i = 0; i < Numbers::Window::count; ++i) {
    std::int64_t& size = at(sizes, Numbers::Window::along(X::shape, i));
    size = (size - 1) * options.stride[i] - 2 * options.padding[i] + options.output_padding[i] +
           options.dilation[i] * (Numbers::Window::shape[i].size - 1) + 1;
  }
  return sizes;
}

/// A transposed convolution as convolutions of the operand with the reversed weight, one for each
/// remainder of the indices by the strides. Where there are several it is computed as the adjoint
/// of a convolution, except in a trace and on devices.
template <class Numbers>
struct ConvTransposePhases : Numbers {
  using Phases = PhaseNumbers<Numbers>;
  template <std::size_t i>
  using Number = TransposePhase<Numbers, Phases::numbers[i]>;
  using First = Number<0>;
  using Checked = First;

  static auto convolve_by_phases(TensorType auto const& x, TensorType auto const& whole) {
    if constexpr (Phases::count == 1)
      return convolve_windows<First>(pad_operand<First>(x), First::kernel(whole));
    else
      return convolve_phases<ConvTransposePhases>(
          x, whole, std::make_index_sequence<Phases::numbers.size()>());
  }
  template <TensorType X, TensorType W>
  static auto convolve_operand(X const& x, W const& whole) {
    if constexpr (Phases::count > 1 && requires { typename Numbers::Transposed; }) {
      using Y = decltype(convolve_by_phases(x, whole));
      using Layer = typename Numbers::Transposed;
      if constexpr (transposes_by_adjoint<Layer, X, Y>) {
        check_channels<First>(x);
        if (!tracing::is_on())
          return record_transpose<Layer, Y>(x, whole, transposed_sizes<Numbers, X>(x.sizes()));
      }
    }
    return convolve_by_phases(x, whole);
  }
};
template <int count, Spec In, Spec Out, WindowSize size, ConvTransposeOptions options>
using ConvTransposeRule = ConvTransposePhases<ConvTransposeNumbers<count, In, Out, size, options>>;

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
