#pragma once

#include <tuple>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/contract/convolve.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/nn/windows.hpp>

namespace tenon::internal {

// A kernel is a tensor "out in height width", or "in out height width" as of a transposed
// convolution. With groups, kernel and operand have an axis of them before their first, and before
// the channels: "groups out/groups in height width", "batch groups in height width".

/// A shape with an axis in `parts` equal parts, an axis before it.
constexpr Shape in_parts(Shape const& shape, int axis, std::int64_t parts) {
  if (parts == 1) return shape;
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    if (i == axis) result[result.rank++] = axis_of_size(parts);
    result[result.rank++] = shape[i];
    if (i == axis) result[i + 1].size /= parts;
  }
  return result;
}

template <class Layer>
struct KernelParts {
  static constexpr Shape shape = in_parts(Layer::weight, 0, Layer::groups);
};

template <class Layer, class E>
struct OperandParts {
  static constexpr int channel = choose_axes(E::shape, Layer::in.name.view()).axis();
  static constexpr Shape shape =
      in_parts(with_axis(E::shape, channel, Layer::in), channel, Layer::groups);
};

/// Whether a layer has that option, and it is set.
template <class Layer>
inline constexpr bool allows_winograd = false;
template <class Layer>
  requires Layer::allow_winograd
inline constexpr bool allows_winograd<Layer> = true;

/// The pairs of axes of an operand in parts and a kernel in parts.
template <class Layer, class E>
constexpr ConvolutionPairs pairs_of_layer() {
  using Parts = OperandParts<Layer, E>;
  constexpr int more = Layer::groups == 1 ? 0 : 1;
  ConvolutionPairs result{};
  auto const pair = [&](int axis, int of_kernel) {
    result.kernel[static_cast<std::size_t>(axis)] = static_cast<std::int8_t>(of_kernel);
  };
  if (more == 1) pair(result.group = Parts::channel, 0);
  pair(Parts::channel + more, Layer::in_place + more);
  for (int i = 0; i < Layer::Window::count; ++i) {
    int const axis = Layer::Window::along(Parts::shape, i);
    pair(axis, Layer::window_place + more + i);
    result.slides.has[static_cast<std::size_t>(axis)] = true;
    ++result.slides.count;
    result.sliding[static_cast<std::size_t>(axis)] = {Layer::stride[i], 0, Layer::dilation[i],
                                                      false, allows_winograd<Layer>};
  }
  return result;
}

/// The contraction of a kernel with the windows of an operand `E`, which is padded.
template <class Layer, class E>
struct LayerConvolveRule {
  static constexpr std::string_view name = Layer::name;
  static constexpr Convolution convolution = convolution_rule(
      OperandParts<Layer, E>::shape, KernelParts<Layer>::shape, pairs_of_layer<Layer, E>());
  static constexpr Contraction const& contraction = convolution.product;
  static constexpr Shape const& shape = convolution.windows;
  static constexpr bool by_one = false;
  static constexpr PaddedEnds padded = [] {
    PaddedEnds result{};
    for (int i = 0; i < Layer::Window::count; ++i) {
      int const axis = Layer::Window::along(OperandParts<Layer, E>::shape, i);
      at(result.before, axis) = at_least_0(Layer::margins.before[i]);
      at(result.behind, axis) = at_least_0(Layer::margins.behind[i]);
    }
    return result;
  }();
};

/// Its result, with the parts of the channels as one axis.
template <class Layer, class E>
struct WholeResult {
  static constexpr Shape shape = [] {
    Shape const& parts = LayerConvolveRule<Layer, E>::contraction.shape;
    constexpr int group = OperandParts<Layer, E>::channel;
    Shape result{};
    for (int i = 0; i < parts.rank; ++i)
      if (i != group) result[result.rank++] = parts[i];
    result[group].size *= Layer::groups;
    return result;
  }();
};

/// Throws `ShapeError` for another number of channels.
template <class Layer, TensorType E>
void check_channels(E const& x) {
  constexpr int channel = OperandParts<Layer, E>::channel;
  std::int64_t const size = at(x.sizes(), channel);
  if (size != Layer::in.size) sizes_differ(Layer::name, E::shape, channel, Layer::in.size, size);
}

/// A padded operand in parts.
template <class Layer, TensorType E>
auto operand_in_parts(E const& x) {
  using Parts = OperandParts<Layer, E>;
  constexpr int channel = Parts::channel;
  using R = TensorUnder<Parts, E>;
  Sizes const sizes = x.sizes();
  check_channels<Layer>(x);
  if constexpr (Layer::groups == 1) return reshaped<R>(x, sizes);
  else
    return reshaped<R>(
        x, sizes_in_parts(sizes, channel, Layer::groups, Layer::in.size / Layer::groups));
}

/// Whether the windows of all groups at once have more axes than a shape.
template <class Layer, class E>
inline constexpr bool needs_groups_apart =
    Layer::groups > 1 && E::shape.rank + 1 + Layer::Window::count > max_rank;

/// The contraction of a kernel with an operand in parts `Parts`; `E` is the operand.
template <class Layer, class E, TensorType Parts, TensorType W>
auto product_in_parts(Parts const& x, W const& weight) {
  using Kernel = TensorUnder<KernelParts<Layer>, W>;
  return convolve_by<LayerConvolveRule<Layer, E>>(
      x, reshaped<Kernel>(weight, static_sizes_of<Kernel>));
}

/// The contraction with all groups at once; with groups it is evaluated.
template <class Layer, TensorType E, TensorType W>
auto convolve_parts(E const& x, W const& weight) {
  auto product = product_in_parts<Layer, E>(operand_in_parts<Layer>(x), weight);
  if constexpr (Layer::groups == 1) return product;
  else {
    using R = TensorUnder<WholeResult<Layer, E>, E>;
    auto const parts = evaluate_expression(std::move(product));
    return reshaped<R>(parts, merged_sizes(parts.sizes(), OperandParts<Layer, E>::channel));
  }
}

/// A layer as one of its groups sees it.
template <class Layer>
struct GroupOf : Layer {
  static constexpr std::int64_t groups = 1;
  static constexpr Axis in = resized(Layer::in, Layer::in.size / Layer::groups);
  static constexpr Shape weight = removed(in_parts(Layer::weight, 0, Layer::groups), 0);
};

/// One group after the other: for operands that have no room for an axis of groups.
template <class Layer, TensorType E, TensorType W>
auto convolve_groups(E const& x, W const& weight) {
  using Group = GroupOf<Layer>;
  constexpr int axis = OperandParts<Layer, E>::channel;
  check_channels<Layer>(x);
  auto const part = [&](std::int64_t i) {
    constexpr std::int64_t in = Group::in.size, first = Group::weight[0].size;
    return evaluate_expression(
        convolve_parts<Group>(evaluate_expression(slice<Axes(axis), in>(x, i * in)),
                              evaluate_expression(slice<0, first>(weight, i * first))));
  };
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return evaluate_expression(concat<Axes(axis)>(part(i)...));
  }(std::make_index_sequence<std::size_t{Layer::groups}>());
}

/// The contraction of a layer's kernel with its padded operand.
template <class Layer, TensorType E, TensorType W>
auto convolve_windows(E const& x, W const& weight) {
  if constexpr (needs_groups_apart<Layer, E>) return convolve_groups<Layer>(x, weight);
  else return convolve_parts<Layer>(x, weight);
}

/// An operand with the margins of a layer.
template <class Layer>
auto pad_operand(TensorType auto const& x) {
  return pad_margins<typename Layer::Window, Layer::margins>(x);
}

/// (A constant: g++ 12 crashes where it is a template argument in place.)
template <class Layer>
inline constexpr Axes channel_axes = Layer::channels;

/// Names the reason why a layer does not take an operand; `void` where it does.
template <class Layer, class E, class W>
constexpr auto conv_mistake() {
  using other = typename decltype(product_mistake<Layer, E, W>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!Chosen<axes_of_window<typename Layer::Window>, E>::ok)
    return choice_mistake<Layer, axes_of_window<typename Layer::Window>, E>();
  else if constexpr (!Chosen<channel_axes<Layer>, E>::ok)
    return choice_mistake<Layer, channel_axes<Layer>, E>();
  else if constexpr (constexpr int axis = Chosen<channel_axes<Layer>, E>::value.axis();
                     !agree(E::shape[axis], Layer::in))
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Layer>, spec_of_axis<E, axis>,
                               spec_of_axis<typename Layer::Input, 0>, spec_of<E>, spec_of<W>>>{};
  else {
    using Padded = Unqualified<decltype(pad_operand<Layer>(std::declval<E const&>()))>;
    using Seen = std::conditional_t<needs_groups_apart<Layer, Padded>, GroupOf<Layer>, Layer>;
    using Rule = LayerConvolveRule<Seen, Padded>;
    if constexpr (Rule::contraction.fits) return std::type_identity<void>{};
    else return contraction_mistake<Layer, Rule, Padded, W>();
  }
}
template <class Layer, Expression X, class W>
using ConvMistake =
    typename decltype(conv_mistake<typename Layer::Checked, TensorOf<X>, W>())::type;

/// What both kinds of convolutional layers have: the axes of the channels, and groups of them.
template <Spec In, Spec Out, std::int64_t groups_>
struct ConvChannels {
  using Input = AxesInOrder<In>;
  using Output = AxesInOrder<Out>;
  static constexpr Axis in = LayerAxis<In>::axis, out = LayerAxis<Out>::axis;
  static constexpr Axes channels = names_of(Input::shape);
  static constexpr std::int64_t groups = groups_;
  static_assert(in.is_named() && out.is_named() && in.is_static() && out.is_static(),
                "tenon::nn: channels are specs such as \"channel=3\"");
  static_assert(groups > 0 && in.size % groups == 0 && out.size % groups == 0,
                "tenon::nn: groups divide the channels of the input and of the output");

  /// The shape of a kernel.
  static constexpr Shape weight_shape(Axis const& first, Axis const& second, Shape const& window) {
    Shape result{};
    result[result.rank++] = first;
    result[result.rank++] = resized(second, second.size / groups);
    for (Axis const& axis : window) result[result.rank++] = axis;
    return result;
  }
};

template <class Rule>
struct WeightRule {
  static constexpr Shape const& shape = Rule::weight;
};

/// `y` plus a bias, if there is one.
template <class Y, class Bias>
auto plus_bias(Y&& y, Bias const& bias) {
  if constexpr (Expression<Bias>) return std::forward<Y>(y) + bias;
  else return std::forward<Y>(y);
}

/// A convolutional layer: `Rule` has its numbers and its value without the bias.
template <bool has_bias, class Rule, class... Kind>
struct ConvLayer {
  using T = typename LayerKind<Kind...>::dtype;
  using D = typename LayerKind<Kind...>::device;
  using Weight = Tensor<T, spec_of<WeightRule<Rule>>, D>;
  using Bias = Tensor<T, spec_of<typename Rule::Output>, D>;

  Weight weight;
  std::conditional_t<has_bias, Bias, std::tuple<>> bias;

  template <Expression X>
    requires std::is_void_v<ConvMistake<Rule, X, Weight>>
  auto operator()(X&& x) const {
    return plus_bias(Rule::convolve_operand(keep_value(std::forward<X>(x)), weight), bias);
  }
  template <Expression X, Mistake R = ConvMistake<Rule, X, Weight>>
  auto operator()(X&& x) const -> R;
  template <Mistake X>
  auto operator()(X const&) const -> X;

  ConvLayer init_parameters(auto& initializer) const {
    std::int64_t const inputs = weight.size() / weight.sizes()[0];
    if constexpr (has_bias) return {initializer(weight), initializer.bias(bias, inputs)};
    else return {initializer(weight), {}};
  }
};

template <bool has_bias, class Rule, class... Kind>
struct KindOf<ConvLayer<has_bias, Rule, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = ConvLayer<has_bias, Rule, Other...>;
};

}  // namespace tenon::internal
