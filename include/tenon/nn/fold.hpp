#pragma once

#include <tenon/nn/conv_transpose.hpp>
#include <tenon/nn/pixel_shuffle.hpp>

namespace tenon {

/// The options of `unfold` and `fold`, in PyTorch's order; one number, or one for each axis.
struct UnfoldOptions {
  internal::PerAxis dilation = 1;
  internal::PerAxis padding = 0;
  internal::PerAxis stride = 1;
};

}  // namespace tenon

namespace tenon::internal {

struct UnfoldName {
  static constexpr std::string_view name = "unfold";
};
struct FoldName {
  static constexpr std::string_view name = "fold";
};

/// Blocks of a size along "height width", whose elements go to an axis of channels.
template <WindowSize size, UnfoldOptions options>
struct Blocks : Window<2, size> {
  static_assert(options.stride.is_for(2, 1) && options.dilation.is_for(2, 1) &&
                    options.padding.is_for(2, 0),
                "tenon::unfold: stride and dilation begin at 1, padding at 0");
  using Window = internal::Window<2, size>;
  static constexpr std::int64_t elements = Window::shape[0].size * Window::shape[1].size;
  static constexpr Margins margins = {{options.padding[0], options.padding[1]},
                                      {options.padding[0], options.padding[1]}};
  static constexpr std::int64_t places(std::int64_t length, int i) {
    return Sliding{options.stride[i], options.padding[i], options.dilation[i]}.places(
        length, Window::shape[i].size);
  }
};

/// The windows of a padded operand `E`: its axes, where slid ones count blocks, then the elements
/// of a block.
template <class Of, UnfoldOptions options, class E>
struct BlocksRule {
  static constexpr std::string_view name = UnfoldName::name;
  static constexpr Convolution convolution = [] {
    ConvolutionPairs pairs{};
    for (int i = 0; i < 2; ++i) {
      auto const axis = static_cast<std::size_t>(Of::along(E::shape, i));
      pairs.kernel[axis] = static_cast<std::int8_t>(i);
      pairs.slides.has[axis] = true;
      ++pairs.slides.count;
      pairs.sliding[axis] = {options.stride[i], 0, options.dilation[i]};
    }
    return convolution_rule(E::shape, Of::shape, pairs);
  }();
  static constexpr Contraction const& contraction = convolution.product;
  static constexpr Shape const& shape = convolution.windows;
  static constexpr bool by_one = false;
};

/// "a b c d x y -> a (b x y) (c d)": the elements of blocks as channels, the blocks as one axis.
template <class Of, class Rule, class E, Axes channels>
struct BlocksAsColumns {
  static constexpr int channel = choose(E::shape, channels).axis();
  static constexpr int first = Of::along(E::shape, 0), second = Of::along(E::shape, 1);
  static constexpr TextWriter<255> text = [] {
    TextWriter<255> result{};
    constexpr std::string_view letters = "abcdefgh";
    auto const letter = [&](int i) { return letters.substr(static_cast<std::size_t>(i), 1); };
    for (int i = 0; i < E::shape.rank; ++i) result << " " << letter(i);
    result << (first < second ? " x y ->" : " y x ->");
    for (int i = 0; i < E::shape.rank; ++i) {
      if (i == second) continue;
      result << (i == channel || i == first ? " (" : " ") << letter(i);
      if (i == channel) result << " x y)";
      if (i == first) result << " " << letter(second) << ")";
    }
    return result;
  }();
  static constexpr Shape shape = [] {
    Shape result{};
    for (int i = 0; i < E::shape.rank; ++i) {
      Axis const& axis = Rule::shape[i];
      AxisExtent const extent = symbolic_extent(axis);
      if (i == channel) result[result.rank++] = resized(axis, extent * number_extent(Of::elements));
      else if (i == first)
        result[result.rank++] = axis_of(extent * symbolic_extent(Rule::shape[second]));
      else if (i != second) result[result.rank++] = axis;
    }
    return resolve(without_captures(result, E::shape, no_axes())).shape;
  }();
};

template <class Name, class Of, Axes channels, UnfoldOptions options, class E>
constexpr auto unfold_mistake() {
  if constexpr (!Chosen<axes_of_window<Of>, E>::ok)
    return choice_mistake<Name, axes_of_window<Of>, E>();
  else if constexpr (!Chosen<channels, E>::ok) return choice_mistake<Name, channels, E>();
  else {
    using Padded = Unqualified<decltype(padded_with<Of, Of::margins>(std::declval<E const&>()))>;
    using Rule = BlocksRule<Of, options, Padded>;
    if constexpr (Rule::contraction.fits) return std::type_identity<void>{};
    else return contraction_mistake<Name, Rule, Padded, Of>();
  }
}

template <class Of, Axes channels, UnfoldOptions options, TensorType X>
auto unfold_blocks(X const& x) {
  auto const padded = padded_with<Of, Of::margins>(x);
  using E = Unqualified<decltype(padded)>;
  using Rule = BlocksRule<Of, options, E>;
  using Columns = BlocksAsColumns<Of, Rule, E, channels>;
  Sizes block = unit_sizes();
  for (int i = 0; i < 2; ++i) at(block, i) = Of::shape[i].size;
  auto const y = evaluate_expression(
      rearrange<spec_of_text<Columns>>(evaluate_expression(windows_of<Rule>(padded, block))));
  return reshaped<TensorAs<X, Columns>>(y, y.sizes());
}

template <class Of, Axes channels, UnfoldOptions options, Expression X>
using UnfoldMistake =
    typename decltype(unfold_mistake<UnfoldName, Of, channels, options, TensorOf<X>>())::type;

/// The blocks of an image as columns: "batch channel=3 height=4 width=5" gives "batch channel=18 9"
/// by `unfold<"channel", "2 3">(x)`. The elements of a block go to the channels, the blocks are one
/// axis in place of "height width". PyTorch: `unfold`.
template <Axes channels, WindowSize size, UnfoldOptions options = UnfoldOptions{}, Expression X>
  requires std::is_void_v<UnfoldMistake<Blocks<size, options>, channels, options, X&&>>
auto unfold(X&& x) {
  return unfold_blocks<Blocks<size, options>, channels, options>(keep_value(std::forward<X>(x)));
}
template <Axes channels, WindowSize size, UnfoldOptions options = UnfoldOptions{}, Expression X,
          class R = UnfoldMistake<Blocks<size, options>, channels, options, X&&>>
  requires(!std::is_void_v<R>)
auto unfold(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::unfold;

/// `unfold` as a layer. PyTorch: `nn.Unfold`.
template <internal::Axes channels, internal::WindowSize size,
          UnfoldOptions options = UnfoldOptions{}>
struct Unfold {
  template <Expression X>
  auto operator()(X&& x) const -> decltype(unfold<channels, size, options>(std::forward<X>(x))) {
    return unfold<channels, size, options>(std::forward<X>(x));
  }
};

}  // namespace tenon
