#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/language/parse.hpp>
#include <tenon/core/rules/convolution.hpp>
#include <tenon/eval/surround.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/nn/axes.hpp>

/// The windows of layers such as `Conv2d<"channel=3", "feature=64", 3>`, as template arguments.
namespace tenon::internal {

/// A number for each axis of a window, or one for all: `2`, `{2, 1}`.
struct PerAxis {
  std::int64_t number[3]{};
  int count = 1;

  constexpr PerAxis(std::int64_t all) : number{all, all, all} {}
  constexpr PerAxis(std::int64_t a, std::int64_t b) : number{a, b, b}, count(2) {}
  constexpr PerAxis(std::int64_t a, std::int64_t b, std::int64_t c) : number{a, b, c}, count(3) {}

  constexpr std::int64_t operator[](int i) const { return number[i]; }
  /// Whether there is one number for each of `axes` axes, and none is less than `least`.
  constexpr bool is_for(int axes, std::int64_t least) const {
    for (std::int64_t const each : number)
      if (each < least) return false;
    return count == 1 || count == axes;
  }
};

/// The sizes along the axes of a window: `3` for each, or a spec, "height=3 width=5", "3 5".
struct WindowSize {
  FixedText spec{};
  std::int64_t each = 0;

  constexpr WindowSize(int size) : each(size) {}
  constexpr WindowSize(char const* sizes) : spec(sizes) {}

  constexpr bool is_for(int axes) const {
    if (spec.empty()) return each > 0;
    Parsed const parsed = parse(spec.view());
    for (Axis const& axis : parsed.shape)
      if (!axis.is_static() || axis.size < 1) return false;
    return parsed.ok() && parsed.shape.rank == axes;
  }

  /// Axes without names are "time", "height width", "depth height width".
  constexpr Shape shape(int axes) const {
    constexpr std::string_view names[]{"depth", "height", "width"};
    Shape const given = spec.empty() ? Shape{} : parse(spec.view()).shape;
    Shape result{};
    for (int i = 0; i < axes; ++i) {
      std::string_view const own = given[i].name.view();
      std::string_view const usual = axes == 1 ? "time" : names[3 - axes + i];
      result[result.rank++] =
          named_axis(own.empty() ? usual : own, spec.empty() ? each : given[i].size);
    }
    return result;
  }
};

/// The names of axes, separated by spaces.
constexpr Axes names_of(Shape const& shape) {
  Axes result{};
  for (Axis const& axis : shape) {
    if (!result.names.empty()) result.names.append(" ");
    result.names.append(axis.name.view());
  }
  return result;
}

/// The axes of a window, which `Layer` slides along axes of these names.
template <int count_, WindowSize size>
struct Window {
  static_assert(size.is_for(count_),
                "tenon::nn: a window has a size for each axis: 3, \"3 5\", \"height=3 width=5\"");
  static constexpr int count = count_;
  static constexpr Shape shape = size.shape(count_);
  static constexpr Axes axes = names_of(shape);

  /// The axis of `x` along which window axis number i slides.
  static constexpr int along(Shape const& x, int i) {
    return choose_axes(x, shape[i].name.view()).axis();
  }
  static constexpr Axis resized_axis(Axis const& axis, int i) {
    return resized(axis, shape[i].size);
  }
};

/// The same axes with other sizes.
template <class Whole, PerAxis sizes>
struct ResizedWindow : Whole {
  static constexpr Shape shape = [] {
    Shape result = Whole::shape;
    for (int i = 0; i < Whole::count; ++i) result[i] = resized(result[i], sizes[i]);
    return result;
  }();
};

/// (A constant: g++ 12 crashes where it is a template argument in place.)
template <class Window>
inline constexpr Axes axes_of_window = Window::axes;

/// The name of a layer, for one, two or three axes.
template <Spec Stem, int count>
struct LayerName {
  static constexpr FixedText text = [] {
    constexpr std::string_view ends[]{"1d", "2d", "3d"};
    return FixedText(Stem.view()).append(ends[count - 1]);
  }();
  static constexpr std::string_view name = text.view();
};

/// Elements added before and behind each axis of a window; a negative number drops elements.
struct Margins {
  std::int64_t before[3]{}, behind[3]{};

  constexpr bool adds() const {
    for (int i = 0; i < 3; ++i)
      if (before[i] > 0 || behind[i] > 0) return true;
    return false;
  }
  constexpr bool drops(int i) const { return before[i] < 0 || behind[i] < 0; }
  constexpr Margins operator-() const {
    return {{-before[0], -before[1], -before[2]}, {-behind[0], -behind[1], -behind[2]}};
  }
};

constexpr std::int64_t at_least_0(std::int64_t number) { return number > 0 ? number : 0; }

template <class Window, Margins margins, class E>
struct MarginRule {
  static constexpr Shape shape = [] {
    Shape result = E::shape;
    for (int i = 0; i < Window::count; ++i) {
      int const axis = Window::along(E::shape, i);
      std::int64_t const added = at_least_0(margins.before[i]) + at_least_0(margins.behind[i]);
      result = with_axis(result, axis, plus(result[axis], added));
    }
    return result;
  }();
};

/// `x` without the elements that negative margins drop.
template <class Window, Margins margins, int i = 0, TensorType X>
auto drop_margins(X const& x) {
  if constexpr (i == Window::count) return x;
  else if constexpr (!margins.drops(i)) return drop_margins<Window, margins, i + 1>(x);
  else {
    constexpr std::int64_t begin = at_least_0(-margins.before[i]),
                           end = at_least_0(-margins.behind[i]);
    return drop_margins<Window, margins, i + 1>(evaluate_expression(
        slice < Axes(Window::along(X::shape, i)), begin, end == 0 ? to_end : -end > (x)));
  }
}

/// `x` without these elements, and with zeros at the other ends of the axes of a window.
template <class Window, Margins margins, TensorType Whole>
auto pad_margins(Whole const& whole) {
  auto const x = drop_margins<Window, margins>(whole);
  using X = Unqualified<decltype(x)>;
  if constexpr (!margins.adds()) return x;
  else {
    using R = TensorUnder<MarginRule<Window, margins, X>, X>;
    Sizes sizes = x.sizes();
    ElementIndex start{};
    for (int i = 0; i < Window::count; ++i) {
      int const axis = Window::along(X::shape, i);
      at(start, axis) = at_least_0(margins.before[i]);
      at(sizes, axis) += at_least_0(margins.before[i]) + at_least_0(margins.behind[i]);
    }
    return surrounded<R>(sizes, start, x, typename X::value_type{});
  }
}

}  // namespace tenon::internal
