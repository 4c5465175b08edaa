#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/rule.hpp>
#include <tenon/expr/view/expand.hpp>
#include <tenon/expr/view/rearrange.hpp>
#include <tenon/nn/windows.hpp>

namespace tenon::internal {

using GridSampleName = Named<"grid_sample">;
using AffineGridName = Named<"affine_grid">;

}  // namespace tenon::internal

namespace tenon {

/// The options of `grid_sample`, with PyTorch's words: `mode` "bilinear" or "nearest",
/// `padding_mode` "zeros", "border" or "reflection". With `align_corners` -1 and 1 are the centres
/// of the first and the last element, else their outer edges.
struct GridSampleOptions {
  internal::FixedText mode = "bilinear";
  internal::FixedText padding_mode = "zeros";
  bool align_corners = false;
};

}  // namespace tenon

namespace tenon::internal {

/// Coordinates of elements, for all places of a grid in a row.
template <class T, class D>
using GridPlaces = Tensor<T, "batch place", D>;
template <class T, class D>
using ImagePixels = Tensor<T, "batch channel pixel", D>;
template <class T, class D>
using GridValues = Tensor<T, "batch channel place", D>;

/// `x` reflected between `low` and `low + span`, again and again.
template <TensorType C, class T>
C reflect_between(C const& x, T low, T span) {
  if (span == 0) return C(x * T(0));
  C const distance = abs(x - low);
  C const turns = stop_gradient(floor(distance / span));
  C const rest = distance - turns * span;
  return where(turns - T(2) * floor(turns / T(2)) == T(1), span - rest, rest) + low;
}

/// The coordinate in an axis of `size` elements of a coordinate from -1 to 1.
template <GridSampleOptions options, TensorType C>
C grid_place(C const& x, std::int64_t size) {
  using T = Computed<typename C::value_type>;
  T const n = static_cast<T>(size), one = 1, half = T(0.5);
  C const place =
      options.align_corners ? C((x + one) * (half * (n - one))) : C(((x + one) * n - one) * half);
  if constexpr (options.padding_mode.is("zeros")) return place;
  else if constexpr (options.padding_mode.is("border")) return clamp(place, T(0), n - one);
  else {
    T const low = options.align_corners ? T(0) : -half, span = options.align_corners ? n - one : n;
    return clamp(reflect_between(place, low, span), T(0), n - one);
  }
}

/// The elements of all channels at a row and a column for each place; zeros beyond the image.
template <class T, class D>
GridValues<T, D> pixels_at(ImagePixels<T, D> const& x, GridPlaces<T, D> const& row,
                           GridPlaces<T, D> const& column, Sizes const& image) {
  using W = Computed<T>;
  W const rows = static_cast<W>(at(image, 2)), columns = static_cast<W>(at(image, 3));
  GridPlaces<bool, D> const inside =
      row >= W(0) && row < rows && column >= W(0) && column < columns;
  auto const whole = [&](GridPlaces<T, D> const& place) {
    return to<std::int32_t>(where(inside, place, W(0)));
  };
  auto const ids = whole(row) * static_cast<std::int32_t>(at(image, 3)) + whole(column);
  auto const of_channels = expand<"batch channel place">(
      eval(rearrange<"batch place -> batch 1 place">(eval(ids))), at(image, 1));
  auto const taken = take_along<2>(x, eval(of_channels));
  return where(rearrange<"batch place -> batch 1 place">(inside), taken, T(0));
}

/// The values at all places: of the nearest element, or the weighted mean of four.
template <GridSampleOptions options, class T, class D>
GridValues<T, D> sample_places(ImagePixels<T, D> const& x, GridPlaces<T, D> const& row,
                               GridPlaces<T, D> const& column, Sizes const& image) {
  using Places = GridPlaces<T, D>;
  if constexpr (options.mode.is("nearest"))
    return pixels_at<T, D>(x, eval(round(row)), eval(round(column)), image);
  else {
    Places const top = stop_gradient(floor(row)), left = stop_gradient(floor(column));
    Places const down = row - top, right = column - left;
    auto const corner = [&](int i, int k) {
      Computed<T> const below = static_cast<Computed<T>>(i), beside = static_cast<Computed<T>>(k);
      Places const weight =
          (i == 0 ? Places(1 - down) : down) * (k == 0 ? Places(1 - right) : right);
      return rearrange<"batch place -> batch 1 place">(weight) *
             pixels_at<T, D>(x, eval(top + below), eval(left + beside), image);
    };
    return corner(0, 0) + corner(0, 1) + corner(1, 0) + corner(1, 1);
  }
}

/// The axes of the result: those of the image's batch and channels, and of the grid's places.
template <class X, class G>
struct GridSampleRule {
  static constexpr Shape shape = with_axis(with_axis(X::shape, 2, G::shape[1]), 3, G::shape[2]);
};

/// The rule of an image and a grid.
template <GridSampleOptions options>
struct ImageAndGrid : GridSampleName {
  static constexpr FixedText mode = options.mode, padding = options.padding_mode;
  static_assert((mode.is("bilinear") || mode.is("nearest")) &&
                    (padding.is("zeros") || padding.is("border") || padding.is("reflection")),
                "tenon::grid_sample: mode is \"bilinear\" or \"nearest\", padding_mode \"zeros\", "
                "\"border\" or \"reflection\"");
  template <class X, class G>
  static constexpr auto mistake() {
    if constexpr (X::shape.rank != 4) return rank_mistake<ImageAndGrid, X, 4>();
    else if constexpr (!FloatType<typename X::value_type> ||
                       !std::same_as<typename X::value_type, typename G::value_type>)
      return dtype_mistake<ImageAndGrid, X, G>();
    else if constexpr (!DevicesMeet<X, G>) return device_mistake<ImageAndGrid, X, G>();
    else if constexpr (G::shape.rank != 4 || !agree(X::shape[0], G::shape[0]) ||
                       !sizes_agree(G::shape[3], axis_of_size(2)))
      return shapes_differ<ImageAndGrid, X, G>();
    else return std::type_identity<void>{};
  }
};

/// Throws `ShapeError` where run-time sizes do not fit.
template <class G>
void check_grid(Sizes const& image, Sizes const& grid) {
  if (at(image, 0) != at(grid, 0))
    sizes_differ(GridSampleName::name, G::shape, 0, at(image, 0), at(grid, 0));
  if (at(grid, 3) != 2) sizes_differ(GridSampleName::name, G::shape, 3, 2, at(grid, 3));
}

/// The values of images "batch channel height width" at the places of a grid "batch row column 2",
/// whose last axis has x and y, from -1 at the left and top edge to 1 at the right and bottom one:
/// "batch channel row column". Axes are identified by position.
/// `grid_sample<GridSampleOptions{.mode = "nearest"}>(x, grid)`; floating dtypes, the same for
/// both. Gradients of both; that of the grid is zero for "nearest". Throws `ShapeError`. PyTorch:
/// `nn.functional.grid_sample` of four axes.
template <GridSampleOptions options = GridSampleOptions{}, class X, class G>
  requires RuleFits<ImageAndGrid<options>, X, G>
auto grid_sample(X const& x, G const& grid) {
  using T = typename X::value_type;
  using D = typename X::device;
  Sizes const image = x.sizes(), from = grid.sizes();
  check_grid<G>(image, from);
  Sizes const pixels = merged_sizes(image, 2), places = merged_sizes(from, 1);
  auto const all = reshaped<Tensor<T, "batch place _", D>>(evaluate_expression(grid), places);
  auto const coordinate = [&](std::int64_t i, int axis) {
    return grid_place<options>(GridPlaces<T, D>(take<-1>(all, i)), at(image, axis));
  };
  auto const y =
      sample_places<options, T, D>(reshaped<ImagePixels<T, D>>(evaluate_expression(x), pixels),
                                   coordinate(1, 2), coordinate(0, 3), image);
  return reshaped<Tensor<T, spec_of<GridSampleRule<X, G>>, D>>(
      y, first_sizes(at(image, 0), at(image, 1), at(from, 1), at(from, 2)));
}
template <GridSampleOptions options = GridSampleOptions{}, class X, class G,
          class R = RuleError<ImageAndGrid<options>, X, G>>
auto grid_sample(X const& x, G const& grid) -> R;

struct AffineMatrixAxes {
  static constexpr Shape shape = parse("batch 2 3").shape;
};
template <WindowSize size, class E>
struct AffineGridRule {
  static_assert(size.is_for(2), "tenon::affine_grid: two sizes, \"height=5 width=6\"");
  static constexpr Shape shape = [] {
    Shape result{};
    result[result.rank++] = E::shape[0];
    for (Axis const& axis : size.shape(2)) result[result.rank++] = axis;
    result[result.rank++] = axis_of_size(2);
    return result;
  }();
};

/// x, y and 1 of all places of a grid.
template <class T, class D>
Tensor<T, "place 3", D> homogeneous_places(std::int64_t height, std::int64_t width, bool aligned) {
  auto const place = [aligned](std::int64_t i, std::int64_t n) {
    double const steps = static_cast<double>(aligned ? n - 1 : n);
    if (steps == 0) return 0.0;
    return (static_cast<double>(2 * i + (aligned ? 0 : 1)) - steps) / steps;
  };
  auto result = Tensor<T, "place 3", D>::uninitialised(first_sizes(height * width, 3));
  result.set_elements([&](T* to) {
    for (std::int64_t i = 0; i < height * width; ++i) {
      for (double const number : {place(i % width, width), place(i / width, height), 1.0})
        *to++ = static_cast<T>(number);
    }
  });
  return result;
}

template <class E>
inline constexpr bool is_affine =
    FloatType<typename E::value_type> && E::shape.rank == 3 &&
    sizes_agree(E::shape[1], axis_of_size(2)) && sizes_agree(E::shape[2], axis_of_size(3));
template <Expression E>
  requires(!is_affine<Unqualified<E>>)
using AffineGridMistake =
    error::shapes_do_not_align<spec_of_name<AffineGridName>, spec_of<Unqualified<E>>,
                               spec_of<AffineMatrixAxes>>;

/// The grid by which `grid_sample` maps images affinely: `affine_grid<"height=5 width=6">(theta)`
/// of matrices "batch 2 3" is "batch height=5 width=6 2", theta times (x, y, 1) of each place; 5
/// and 6 are the sizes of the result of `grid_sample`. `align_corners` as there. Floating dtypes.
/// PyTorch: `nn.functional.affine_grid`.
template <WindowSize size, bool align_corners = false, Expression E>
  requires is_affine<Unqualified<E>>
auto affine_grid(E const& theta) {
  using T = typename E::value_type;
  using D = typename E::device;
  using R = Tensor<T, spec_of<AffineGridRule<size, E>>, D>;
  Sizes const from = theta.sizes();
  Sizes sizes = static_sizes(R::shape);
  at(sizes, 0) = at(from, 0);
  auto const places = homogeneous_places<T, D>(at(sizes, 1), at(sizes, 2), align_corners);
  auto const matrices = reshaped<Tensor<T, "batch 2 3", D>>(evaluate_expression(theta), from);
  return reshaped<R>(eval(einsum<"batch axis k, place k -> batch place axis">(matrices, places)),
                     sizes);
}
template <WindowSize size, bool align_corners = false, Expression E, class R = AffineGridMistake<E>>
auto affine_grid(E const& theta) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::affine_grid;
using internal::grid_sample;

}  // namespace tenon
