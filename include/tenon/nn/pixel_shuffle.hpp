#pragma once

#include <tenon/expr/view/rearrange.hpp>
#include <tenon/nn/axes.hpp>
#include <tenon/nn/taps.hpp>

namespace tenon::internal {

using PixelShuffleName = Named<"pixel_shuffle">;
using PixelUnshuffleName = Named<"pixel_unshuffle">;

/// The places of the channels, the rows and the columns, "channel height width".
template <class E, Spec Image>
struct PixelAxes {
  static constexpr Shape names = parse(Image.view()).shape;
  static_assert(names.rank == 3, "tenon::pixel_shuffle: three axes, as \"channel height width\"");
  static constexpr int place(int i) { return choose_axes(E::shape, names[i].name.view()).axis(); }
  static constexpr Axes axes = names_of(names);
  static constexpr int channel = place(0), row = place(1), column = place(2);
};

/// The pattern of a shuffle of axes, which are named by letters: "a (b x=2 y=2) c d -> a b (c x) (d
/// y)"; the other way for its inverse. Then the axes of the result.
template <class Name, std::int64_t factor, class E, Spec Image>
struct PixelRule {
  using At = PixelAxes<E, Image>;
  static constexpr bool shuffles = std::same_as<Name, PixelShuffleName>;

  static constexpr void write(TextWriter<255>& to, int i, bool is_small, bool is_left) {
    constexpr std::string_view letters = "abcdefgh";
    std::string_view const letter = letters.substr(static_cast<std::size_t>(i), 1);
    auto const part = [&](char const* word) {
      to << " " << word;
      if (is_left) to << "=" << factor;
    };
    bool const is_split = is_small ? i == At::channel : i == At::row || i == At::column;
    to << (is_split ? " (" : " ") << letter;
    if (is_split && i != At::column) part("x");
    if (is_split && i != At::row) part("y");
    if (is_split) to << ")";
  }
  static constexpr TextWriter<255> text = [] {
    TextWriter<255> result{};
    for (int i = 0; i < E::shape.rank; ++i) write(result, i, shuffles, true);
    result << " ->";
    for (int i = 0; i < E::shape.rank; ++i) write(result, i, !shuffles, false);
    return result;
  }();

  static constexpr Axis scaled(Axis const& axis, std::int64_t by, bool grows) {
    AxisExtent const size = symbolic_extent(axis);
    return resized(axis, grows ? size * number_extent(by) : quotient(size, number_extent(by)));
  }
  static constexpr Shape shape = [] {
    Shape result =
        with_axis(E::shape, At::channel, scaled(E::shape[At::channel], factor * factor, !shuffles));
    for (int const axis : {At::row, At::column})
      result = with_axis(result, axis, scaled(E::shape[axis], factor, shuffles));
    return result;
  }();
};

template <class Name, std::int64_t factor, Spec Image, class E>
constexpr auto pixel_mistake() {
  static_assert(factor > 0, "tenon::pixel_shuffle: the factor is at least 1");
  constexpr AxisChoice const& chosen = Chosen<axes_of_window<PixelAxes<E, Image>>, E>::value;
  if constexpr (chosen.result != AxisSearch::ok)
    return choice_mistake<Name, axes_of_window<PixelAxes<E, Image>>, E>();
  else {
    using Rule = PixelRule<Name, factor, E, Image>;
    constexpr auto pattern = spec_of_text<Rule>;
    if constexpr (PatternFits<RearrangeRule<Name, pattern, E>>) return std::type_identity<void>{};
    else
      return std::type_identity<error::pattern_does_not_fit<
          spec_of_name<Name>, spec_of_text<RearrangeRule<Name, pattern, E>>, pattern,
          spec_of<E>>>{};
  }
}
template <class Name, std::int64_t factor, Spec Image, Expression X>
using PixelMistake = typename decltype(pixel_mistake<Name, factor, Image, TensorOf<X>>())::type;

template <class Name, std::int64_t factor, Spec Image, TensorType X>
auto shuffle_pixels(X const& x) {
  using Rule = PixelRule<Name, factor, X, Image>;
  auto const y = evaluate_expression(rearrange<spec_of_text<Rule>>(x));
  return reshaped<TensorUnder<Rule, X>>(y, y.sizes());
}

/// Channels moved into an image `factor` times as high and wide: "batch channel=12 height=5
/// width=7" gives "batch channel=3 height=10 width=14" by `pixel_shuffle<2>(x)`. Other names of the
/// three axes are `pixel_shuffle<2, "c y x">(x)`. Throws `ShapeError` where a run-time size does
/// not divide. Shi et al., arXiv:1609.05158. PyTorch: `pixel_shuffle`.
template <std::int64_t factor, Spec Image = "channel height width", Expression X>
  requires std::is_void_v<PixelMistake<PixelShuffleName, factor, Image, X&&>>
auto pixel_shuffle(X&& x) {
  return shuffle_pixels<PixelShuffleName, factor, Image>(keep_value(std::forward<X>(x)));
}
template <std::int64_t factor, Spec Image = "channel height width", Expression X,
          Mistake R = PixelMistake<PixelShuffleName, factor, Image, X&&>>
auto pixel_shuffle(X&& x) -> R;

/// The inverse of `pixel_shuffle`: blocks of an image moved into channels. PyTorch:
/// `pixel_unshuffle`.
template <std::int64_t factor, Spec Image = "channel height width", Expression X>
  requires std::is_void_v<PixelMistake<PixelUnshuffleName, factor, Image, X&&>>
auto pixel_unshuffle(X&& x) {
  return shuffle_pixels<PixelUnshuffleName, factor, Image>(keep_value(std::forward<X>(x)));
}
template <std::int64_t factor, Spec Image = "channel height width", Expression X,
          Mistake R = PixelMistake<PixelUnshuffleName, factor, Image, X&&>>
auto pixel_unshuffle(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::pixel_shuffle;
using internal::pixel_unshuffle;

/// `pixel_shuffle` as a layer. PyTorch: `nn.PixelShuffle`.
template <std::int64_t factor, Spec Image = "channel height width">
struct PixelShuffle {
  template <Expression X>
  auto operator()(X&& x) const -> decltype(pixel_shuffle<factor, Image>(std::forward<X>(x))) {
    return pixel_shuffle<factor, Image>(std::forward<X>(x));
  }
};
/// `pixel_unshuffle` as a layer. PyTorch: `nn.PixelUnshuffle`.
template <std::int64_t factor, Spec Image = "channel height width">
struct PixelUnshuffle {
  template <Expression X>
  auto operator()(X&& x) const -> decltype(pixel_unshuffle<factor, Image>(std::forward<X>(x))) {
    return pixel_unshuffle<factor, Image>(std::forward<X>(x));
  }
};

}  // namespace tenon
