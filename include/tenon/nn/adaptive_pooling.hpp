#pragma once

#include <tenon/expr/gather/take_along.hpp>
#include <tenon/nn/pooling.hpp>

namespace tenon::internal {

using AdaptiveAvgPoolName = Named<"adaptive_avg_pool">;
using AdaptiveMaxPoolName = Named<"adaptive_max_pool">;

/// The sizes of a result along axes that a spec names.
constexpr int axes_of_size(WindowSize const& size) { return parse(size.spec.view()).shape.rank; }
template <WindowSize size>
using SizesOf = Window<axes_of_size(size), size>;

/// Axis number k of a window, from behind in the order of the shape `x`.
template <class Window>
constexpr int window_axis_from_behind(Shape const& x, int k) {
  for (int axis = x.rank - 1; axis >= 0; --axis)
    for (int i = 0; i < Window::count; ++i)
      if (Window::along(x, i) == axis && k-- == 0) return i;
  return 0;
}
// Constants: g++ 12 crashes where they are template arguments in place.
template <class Window, class E, int k>
inline constexpr int nth_window_axis = window_axis_from_behind<Window>(E::shape, k);
template <class Window, class E, int k>
inline constexpr int nth_place = Window::along(E::shape, nth_window_axis<Window, E, k>);
/// `E` with axis number k from behind of the size that the window says.
template <class Window, class E, int k>
struct NthResized {
  static constexpr int axis = nth_place<Window, E, k>;
  static constexpr Shape shape = with_axis(
      E::shape, axis, Window::resized_axis(E::shape[axis], nth_window_axis<Window, E, k>));
  using type = TensorUnder<NthResized, E>;
};

/// Names the reason why a tensor is not resized; `void` where it is.
template <class Name, class Window, class E>
constexpr auto resize_mistake() {
  if constexpr (!FloatType<typename E::value_type>) return dtype_mistake<Name, E>();
  else if constexpr (!Chosen<axes_of_window<Window>, E>::ok)
    return choice_mistake<Name, axes_of_window<Window>, E>();
  else if constexpr (E::shape.rank == max_rank) return axes_mistake<Name, Axes(0), max_rank, E>();
  else return std::type_identity<void>{};
}
template <class Name, class Window, Expression X>
using ResizeMistake = typename decltype(resize_mistake<Name, Window, TensorOf<X>>())::type;

/// The windows of adaptive pooling: element i has those from i * from // to to before (i + 1) *
/// from / to, rounded up; the last is repeated, without weight.
inline Taps adaptive_taps(std::string_view name, std::int64_t from, std::int64_t to) {
  if (from == 0) throw ShapeError("tenon::" + std::string(name) + ": an empty axis");
  auto const first = [&](std::int64_t i) { return i * from / to; };
  auto const last = [&](std::int64_t i) { return ((i + 1) * from + to - 1) / to; };
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < to; ++i) longest = (std::max)(longest, last(i) - first(i));
  Taps taps(longest, to);
  for (std::int64_t i = 0; i < to; ++i) {
    std::int64_t const length = last(i) - first(i);
    for (std::int64_t k = 0; k < longest; ++k)
      taps.set(k, i, first(i) + (std::min)(k, length - 1),
               k < length ? 1 / static_cast<double>(length) : 0);
  }
  return taps;
}

/// The axes of a window resized one after the other, the last first: `taps(from, i)` are those of
/// window axis number i, along which `x` has `from` elements.
template <class Window, int k = 0, TensorType X, class F>
auto resize_axes(X const& x, F const& taps) {
  if constexpr (k == Window::count) return x;
  else {
    using Resized = NthResized<Window, X, k>;
    auto const own = taps(at(x.sizes(), Resized::axis), nth_window_axis<Window, X, k>);
    return resize_axes<Window, k + 1>(sum_taps<typename Resized::type, Resized::axis>(x, own),
                                      taps);
  }
}

template <class Window, TensorType X>
auto adaptive_means(X const& x) {
  return resize_axes<Window>(x, [](std::int64_t from, int i) {
    return adaptive_taps(AdaptiveAvgPoolName::name, from, Window::shape[i].size);
  });
}

/// The maxima of one axis and their positions along it.
template <class Window, int k, TensorType X>
auto adaptive_maxima_along(X const& x) {
  using Resized = NthResized<Window, X, k>;
  using V = typename Resized::type;
  using I = Tensor<std::int32_t, V::spec, typename X::device>;
  constexpr int axis = Resized::axis;
  Sizes sizes = x.sizes();
  auto const taps = adaptive_taps(AdaptiveMaxPoolName::name, at(sizes, axis),
                                  Window::shape[nth_window_axis<Window, X, k>].size);
  at(sizes, axis) = taps.size;
  auto const all = evaluate_expression(take_taps<axis>(x, taps));
  auto const best = evaluate_expression(argmax<Axes(axis)>(all));
  auto const first = tap_table<std::int32_t, typename X::device, X::rank - 1 - axis, 1>(
      first_sizes(taps.size), std::span(taps.ids).first(static_cast<std::size_t>(taps.size)));
  return MaxPooling<V, I>{reshaped<V>(evaluate_expression(pick<Axes(axis)>(all, best)), sizes),
                          reshaped<I>(evaluate_expression(best + first), sizes)};
}
/// Maxima with positions, one axis after the other, from number k on: `inner` counts the positions
/// along those behind it, of which there are `elements`.
template <class Window, int k = 0, TensorType X, class I = int>
auto adaptive_maxima(X const& x, I const& inner = 0, std::int64_t elements = 1) {
  if constexpr (k == Window::count) return MaxPooling<X, I>{x, inner};
  else {
    auto const [values, along] = adaptive_maxima_along<Window, k>(x);
    constexpr int axis = nth_place<Window, X, k>;
    std::int64_t const all = at(x.sizes(), axis) * elements;
    if constexpr (k == 0) return adaptive_maxima<Window, 1>(values, along, all);
    else {
      Unqualified<decltype(along)> const combined =
          along * static_cast<std::int32_t>(elements) + take_along<Axes(axis)>(inner, along);
      return adaptive_maxima<Window, k + 1>(values, combined, all);
    }
  }
}

/// The means of as many windows as `sizes` says, which cover the axes: "batch channel height=7
/// width=9" gives "batch channel height=2 width=3" by `adaptive_avg_pool<"height=2 width=3">(x)`.
/// Window i of n elements begins at floor(i n / m) and ends before ceil((i + 1) n / m). Floating
/// dtypes. Throws `ShapeError` for an empty axis. PyTorch: `adaptive_avg_pool1d` to `3d`.
template <WindowSize sizes, Expression X>
  requires std::is_void_v<ResizeMistake<AdaptiveAvgPoolName, SizesOf<sizes>, X&&>>
auto adaptive_avg_pool(X&& x) {
  return adaptive_means<SizesOf<sizes>>(keep_value(std::forward<X>(x)));
}
template <WindowSize sizes, Expression X,
          Mistake R = ResizeMistake<AdaptiveAvgPoolName, SizesOf<sizes>, X&&>>
auto adaptive_avg_pool(X&& x) -> R;

/// The maxima of as many windows as `sizes` says, as `adaptive_avg_pool`. PyTorch:
/// `adaptive_max_pool1d` to `3d`.
template <WindowSize sizes, Expression X>
  requires std::is_void_v<ResizeMistake<AdaptiveMaxPoolName, SizesOf<sizes>, X&&>>
auto adaptive_max_pool(X&& x) {
  return adaptive_maxima<SizesOf<sizes>>(keep_value(std::forward<X>(x))).values;
}
template <WindowSize sizes, Expression X,
          Mistake R = ResizeMistake<AdaptiveMaxPoolName, SizesOf<sizes>, X&&>>
auto adaptive_max_pool(X&& x) -> R;

/// `adaptive_max_pool` and the positions of the maxima, as of `max_pool_with_indices`. PyTorch:
/// `return_indices=True`.
template <WindowSize sizes, Expression X>
  requires std::is_void_v<ResizeMistake<AdaptiveMaxPoolName, SizesOf<sizes>, X&&>>
auto adaptive_max_pool_with_indices(X&& x) {
  return adaptive_maxima<SizesOf<sizes>>(keep_value(std::forward<X>(x)));
}
template <WindowSize sizes, Expression X,
          Mistake R = ResizeMistake<AdaptiveMaxPoolName, SizesOf<sizes>, X&&>>
auto adaptive_max_pool_with_indices(X&& x) -> R;

template <int count, WindowSize size>
struct AdaptiveAvgPool {
  using Sizes = Window<count, size>;

  template <Expression X>
    requires std::is_void_v<ResizeMistake<AdaptiveAvgPoolName, Sizes, X>>
  auto operator()(X&& x) const {
    return adaptive_means<Sizes>(keep_value(std::forward<X>(x)));
  }
  template <Expression X, Mistake R = ResizeMistake<AdaptiveAvgPoolName, Sizes, X>>
  auto operator()(X&& x) const -> R;
};

template <int count, WindowSize size, bool return_indices>
struct AdaptiveMaxPool {
  using Sizes = Window<count, size>;

  template <Expression X>
    requires std::is_void_v<ResizeMistake<AdaptiveMaxPoolName, Sizes, X>>
  auto operator()(X&& x) const {
    auto result = adaptive_maxima<Sizes>(keep_value(std::forward<X>(x)));
    if constexpr (return_indices) return result;
    else return result.values;
  }
  template <Expression X, Mistake R = ResizeMistake<AdaptiveMaxPoolName, Sizes, X>>
  auto operator()(X&& x) const -> R;
};

}  // namespace tenon::internal

namespace tenon {

using internal::adaptive_avg_pool;
using internal::adaptive_max_pool;
using internal::adaptive_max_pool_with_indices;

/// `adaptive_avg_pool` of "time": `AdaptiveAvgPool1d<5>`. PyTorch: `nn.AdaptiveAvgPool1d`.
template <internal::WindowSize size>
using AdaptiveAvgPool1d = internal::AdaptiveAvgPool<1, size>;
/// `adaptive_avg_pool` of "height width": `AdaptiveAvgPool2d<1>`, `AdaptiveAvgPool2d<"2 3">`,
/// `AdaptiveAvgPool2d<"row=2 column=3">`. PyTorch: `nn.AdaptiveAvgPool2d`.
template <internal::WindowSize size>
using AdaptiveAvgPool2d = internal::AdaptiveAvgPool<2, size>;
/// `adaptive_avg_pool` of "depth height width". PyTorch: `nn.AdaptiveAvgPool3d`.
template <internal::WindowSize size>
using AdaptiveAvgPool3d = internal::AdaptiveAvgPool<3, size>;

/// `adaptive_max_pool` of "time", with its indices if they are asked for. PyTorch:
/// `nn.AdaptiveMaxPool1d`.
template <internal::WindowSize size, bool return_indices = false>
using AdaptiveMaxPool1d = internal::AdaptiveMaxPool<1, size, return_indices>;
/// `adaptive_max_pool` of "height width". PyTorch: `nn.AdaptiveMaxPool2d`.
template <internal::WindowSize size, bool return_indices = false>
using AdaptiveMaxPool2d = internal::AdaptiveMaxPool<2, size, return_indices>;
/// `adaptive_max_pool` of "depth height width". PyTorch: `nn.AdaptiveMaxPool3d`.
template <internal::WindowSize size, bool return_indices = false>
using AdaptiveMaxPool3d = internal::AdaptiveMaxPool<3, size, return_indices>;

}  // namespace tenon
