#pragma once

#include <cmath>

#include <tenon/nn/adaptive_pooling.hpp>

namespace tenon::internal {

using InterpolateName = Named<"interpolate">;

constexpr bool is_linear(FixedText const& mode) {
  return mode.is("linear") || mode.is("bilinear") || mode.is("trilinear");
}
constexpr bool is_mode(FixedText const& mode) {
  return mode.is("nearest") || mode.is("nearest-exact") || is_linear(mode) || mode.is("bicubic") ||
         mode.is("area");
}

}  // namespace tenon::internal

namespace tenon {

/// The options of `interpolate` and `Upsample`. `scale_factor` multiplies the sizes of the axes,
/// which have none of their own then; `mode` is "nearest", "nearest-exact", "linear", "bilinear",
/// "trilinear" (one mode), "bicubic" or "area".
struct InterpolateOptions {
  internal::PerAxis scale_factor = 0;
  internal::FixedText mode = "nearest";
  bool align_corners = false;
};

}  // namespace tenon

namespace tenon::internal {

/// The axes of an interpolation: "height=7 width=9", or "height width" with a factor.
template <WindowSize size, InterpolateOptions options>
struct InterpolatedAxes {
  static constexpr Shape shape = parse(size.spec.view()).shape;
  static constexpr int count = shape.rank;
  static constexpr bool scales = options.scale_factor[0] != 0;
  static_assert(scales ? options.scale_factor.is_for(count, 1) && dynamic_axes(shape) == count
                       : count > 0 && dynamic_axes(shape) == 0,
                "tenon::interpolate: \"height=7 width=9\", or \"height width\" and a scale_factor");
  static_assert(is_mode(options.mode), "tenon::interpolate: unknown mode");
  static_assert(!options.align_corners || is_linear(options.mode) || options.mode.is("bicubic"),
                "tenon::interpolate: align_corners is for the linear and cubic modes");
  static constexpr Axes axes = names_of(shape);

  static constexpr int along(Shape const& x, int i) {
    return choose_axes(x, shape[i].name.view()).axis();
  }
  static constexpr std::int64_t resized_from(std::int64_t from, int i) {
    return scales ? from * options.scale_factor[i] : shape[i].size;
  }
  static constexpr Axis resized_axis(Axis const& axis, int i) {
    if (!scales) return resized(axis, shape[i].size);
    return resized(axis, symbolic_extent(axis) * number_extent(options.scale_factor[i]));
  }
};

/// The weight of a tap at a distance, of the cubic convolution with a = -0.75. R. Keys, "Cubic
/// convolution interpolation for digital image processing", 1981.
inline double cubic_weight(double distance) {
  constexpr double a = -0.75;
  double const x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The place in an axis of `from` elements of element i of `to`.
inline double interpolated_place(std::int64_t i, std::int64_t from, std::int64_t to,
                                 bool align_corners) {
  auto const numbers = [](std::int64_t a, std::int64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  if (align_corners) return to > 1 ? numbers(i * (from - 1), to - 1) : 0;
  return numbers((2 * i + 1) * from, 2 * to) - 0.5;
}

inline Taps nearest_taps(std::int64_t from, std::int64_t to, bool is_exact) {
  Taps taps(1, to);
  for (std::int64_t i = 0; i < to; ++i)
    taps.set(0, i, is_exact ? (2 * i + 1) * from / (2 * to) : i * from / to, 1);
  return taps;
}

inline Taps linear_taps(std::int64_t from, std::int64_t to, bool align_corners) {
  Taps taps(2, to);
  for (std::int64_t i = 0; i < to; ++i) {
    double const place = (std::max)(0.0, interpolated_place(i, from, to, align_corners));
    auto const first = (std::min)(static_cast<std::int64_t>(place), from - 1);
    double const part = place - static_cast<double>(first);
    taps.set(0, i, first, 1 - part);
    taps.set(1, i, (std::min)(first + 1, from - 1), part);
  }
  return taps;
}

inline Taps cubic_taps(std::int64_t from, std::int64_t to, bool align_corners) {
  Taps taps(4, to);
  for (std::int64_t i = 0; i < to; ++i) {
    double const place = interpolated_place(i, from, to, align_corners);
    double const first = std::floor(place);
    for (std::int64_t k = 0; k < 4; ++k) {
      double const id = first + static_cast<double>(k - 1);
      taps.set(k, i, std::clamp(static_cast<std::int64_t>(id), std::int64_t{0}, from - 1),
               cubic_weight(place - id));
    }
  }
  return taps;
}

inline Taps interpolation_taps(InterpolateOptions const& options, std::int64_t from,
                               std::int64_t to) {
  FixedText const& mode = options.mode;
  if (mode.is("area") || from == 0) return adaptive_taps(InterpolateName::name, from, to);
  if (is_linear(mode)) return linear_taps(from, to, options.align_corners);
  if (mode.is("bicubic")) return cubic_taps(from, to, options.align_corners);
  return nearest_taps(from, to, mode.is("nearest-exact"));
}

/// `x` with other sizes of some axes: "batch channel height=8 width=8" gives "batch channel
/// height=12 width=5" by `interpolate<"height=12 width=5">(x)`, and "batch channel height=16
/// width=16" by `interpolate<"height width", InterpolateOptions{.scale_factor = 2, .mode =
/// "bilinear"}>(x)`. Floating dtypes; "bicubic" is without antialiasing. Throws `ShapeError` for an
/// empty axis. PyTorch: `interpolate`.
template <WindowSize size, InterpolateOptions options = InterpolateOptions{}, Expression X>
  requires std::is_void_v<ResizeMistake<InterpolateName, InterpolatedAxes<size, options>, X&&>>
auto interpolate(X&& x) {
  using Onto = InterpolatedAxes<size, options>;
  return resize_axes<Onto>(keep_value(std::forward<X>(x)), [](std::int64_t from, int i) {
    return interpolation_taps(options, from, Onto::resized_from(from, i));
  });
}
template <WindowSize size, InterpolateOptions options = InterpolateOptions{}, Expression X,
          Mistake R = ResizeMistake<InterpolateName, InterpolatedAxes<size, options>, X&&>>
auto interpolate(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::interpolate;

/// `interpolate` as a layer: `Upsample<"height width", InterpolateOptions{.scale_factor = 2}>`.
/// PyTorch: `nn.Upsample`.
template <internal::WindowSize size, InterpolateOptions options = InterpolateOptions{}>
struct Upsample {
  template <Expression X>
  auto operator()(X&& x) const -> decltype(interpolate<size, options>(std::forward<X>(x))) {
    return interpolate<size, options>(std::forward<X>(x));
  }
};

}  // namespace tenon
