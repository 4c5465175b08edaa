#pragma once

#include <tenon/expr/create/create.hpp>
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

using UnfoldName = Named<"unfold">;
using FoldName = Named<"fold">;

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
  static constexpr PaddedEnds padded{};  // the padding is an own operand
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
    using Padded = Unqualified<decltype(pad_margins<Of, Of::margins>(std::declval<E const&>()))>;
    using Rule = BlocksRule<Of, options, Padded>;
    if constexpr (Rule::contraction.fits) return std::type_identity<void>{};
    else return contraction_mistake<Name, Rule, Padded, Of>();
  }
}

template <class Of, Axes channels, UnfoldOptions options, TensorType X>
auto unfold_blocks(X const& x) {
  auto const padded = pad_margins<Of, Of::margins>(x);
  using E = Unqualified<decltype(padded)>;
  using Rule = BlocksRule<Of, options, E>;
  using Columns = BlocksAsColumns<Of, Rule, E, channels>;
  Sizes const block = first_sizes(Of::shape[0].size, Of::shape[1].size);
  auto const y = evaluate_expression(
      rearrange<spec_of_text<Columns>>(evaluate_expression(windows_of<Rule>(padded, block))));
  return reshaped<TensorUnder<Columns, X>>(y, y.sizes());
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
          Mistake R = UnfoldMistake<Blocks<size, options>, channels, options, X&&>>
auto unfold(X&& x) -> R;

/// An image of given sizes, and the number of blocks along its axes.
template <WindowSize sizes, WindowSize size, UnfoldOptions options>
struct FoldedBlocks : Blocks<size, options> {
  using Image = internal::Window<2, sizes>;
  static constexpr PerAxis image{Image::shape[0].size, Image::shape[1].size};
  static constexpr PerAxis block{FoldedBlocks::Window::shape[0].size,
                                 FoldedBlocks::Window::shape[1].size};
  using Block = ResizedWindow<Image, block>;
  static constexpr PerAxis blocks{FoldedBlocks::places(image[0], 0),
                                  FoldedBlocks::places(image[1], 1)};
  static_assert(blocks.is_for(2, 1), "tenon::fold: the block is larger than the image");

  /// The elements of an axis behind the last block.
  static constexpr std::int64_t rest(int i) {
    return image[i] + 2 * options.padding[i] - (blocks[i] - 1) * options.stride[i] -
           (block[i] - 1) * options.dilation[i] - 1;
  }
};

/// `fold` as a transposed convolution of blocks, whose elements are the channels "tap".
template <class Of, UnfoldOptions unfolding>
struct FoldNumbers : FoldName {
  using Window = typename Of::Block;
  static constexpr Axis in = named_axis("tap", Of::elements);
  static constexpr int in_place = 0, window_place = 1;
  static constexpr std::int64_t groups = 1;
  static constexpr ConvTransposeOptions options{.stride = unfolding.stride,
                                                .padding = unfolding.padding,
                                                .output_padding = {Of::rest(0), Of::rest(1)},
                                                .dilation = unfolding.dilation};
  static constexpr Shape weight_with(Shape const& window) { return inserted(window, 0, in); }
  static constexpr Shape weight = weight_with(Window::shape);
};

/// Columns with their channels and their blocks as two axes each.
template <class Of, class E, Axes channels>
struct ColumnsInParts {
  static constexpr int channel = choose(E::shape, channels).axis(), last = E::shape.rank - 1;
  static constexpr bool fits = [] {
    Axis const &first = E::shape[channel], &second = E::shape[last];
    return channel != last && E::shape.rank + 4 <= max_rank &&
           (!first.is_static() || first.size % Of::elements == 0) &&
           (!second.is_static() || second.size == Of::blocks[0] * Of::blocks[1]);
  }();
  static constexpr FixedText text = "no channels and blocks of the image";
  static constexpr Shape shape = [] {
    Shape result{};
    for (int i = 0; i < last; ++i) {
      if (i != channel) result[result.rank++] = E::shape[i];
      if (i != channel) continue;
      AxisExtent const parts = quotient(symbolic_extent(E::shape[i]), number_extent(Of::elements));
      result[result.rank++] = resized(E::shape[i], parts);
      result[result.rank++] = named_axis("tap", Of::elements);
    }
    for (int i = 0; i < 2; ++i)
      result[result.rank++] = named_axis(Of::Image::shape[i].name.view(), Of::blocks[i]);
    return result;
  }();
};

template <class Of, Axes channels, class E>
constexpr auto fold_mistake() {
  if constexpr (!Chosen<channels, E>::ok) return choice_mistake<FoldName, channels, E>();
  else if constexpr (ColumnsInParts<Of, E, channels>::fits) return std::type_identity<void>{};
  else
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<FoldName>, spec_of_text<ColumnsInParts<Of, E, channels>>,
        spec_of<typename Of::Image>, spec_of<E>>>{};
}
template <class Of, Axes channels, Expression X>
using FoldMistake = typename decltype(fold_mistake<Of, channels, TensorOf<X>>())::type;

template <class Of, Axes channels, UnfoldOptions options, TensorType X>
auto fold_columns(X const& x) {
  using Rule = ConvTransposePhases<FoldNumbers<Of, options>>;
  using Parts = ColumnsInParts<Of, X, channels>;
  using W = TensorUnder<WeightRule<Rule>, X>;
  Sizes sizes = x.sizes();
  std::int64_t const blocks = Of::blocks[0] * Of::blocks[1];
  if (at(sizes, Parts::last) != blocks)
    sizes_differ(FoldName::name, X::shape, Parts::last, blocks, at(sizes, Parts::last));
  if (at(sizes, Parts::channel) % Of::elements != 0)
    sizes_differ(FoldName::name, X::shape, Parts::channel, Of::elements, at(sizes, Parts::channel));
  sizes = sizes_in_parts(sizes, Parts::last, Of::blocks[0], Of::blocks[1]);
  sizes =
      sizes_in_parts(sizes, Parts::channel, at(sizes, Parts::channel) / Of::elements, Of::elements);
  using Square = Tensor<typename W::value_type, "_ _", typename W::device>;
  W const kernel = reshaped<W>(eye<Square>(Of::elements, Of::elements), static_sizes_of<W>);
  return evaluate_expression(
      Rule::convolve_operand(reshaped<TensorUnder<Parts, X>>(x, sizes), kernel));
}

/// Adds blocks of an image, the columns of `unfold`, at their places: "batch channel=18 9" gives
/// "batch channel=3 height=4 width=5" by `fold<"channel", "height=4 width=5", "2 3">(x)`. The
/// blocks are the last axis. Throws `ShapeError` for another number of them. PyTorch: `fold`.
template <Axes channels, WindowSize image, WindowSize size, UnfoldOptions options = UnfoldOptions{},
          Expression X>
  requires std::is_void_v<FoldMistake<FoldedBlocks<image, size, options>, channels, X&&>>
auto fold(X&& x) {
  return fold_columns<FoldedBlocks<image, size, options>, channels, options>(
      keep_value(std::forward<X>(x)));
}
template <Axes channels, WindowSize image, WindowSize size, UnfoldOptions options = UnfoldOptions{},
          Expression X, Mistake R = FoldMistake<FoldedBlocks<image, size, options>, channels, X&&>>
auto fold(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::fold;
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

/// `fold` as a layer: `Fold<"channel", "height=4 width=5", "2 3">`. PyTorch: `nn.Fold`.
template <internal::Axes channels, internal::WindowSize image, internal::WindowSize size,
          UnfoldOptions options = UnfoldOptions{}>
struct Fold {
  template <Expression X>
  auto operator()(X&& x) const
      -> decltype(fold<channels, image, size, options>(std::forward<X>(x))) {
    return fold<channels, image, size, options>(std::forward<X>(x));
  }
};

}  // namespace tenon
