#pragma once

#include <utility>

#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/reduction/pool.hpp>
#include <tenon/nn/taps.hpp>

namespace tenon {

/// The options of `MaxPool1d` to `MaxPool3d`; one number, or one for each axis. A stride of 0 is
/// the size of the window. With `return_indices` the layer gives `MaxPooling`, values and indices.
struct MaxPoolOptions {
  internal::PerAxis stride = 0;
  internal::PerAxis padding = 0;
  internal::PerAxis dilation = 1;
  bool return_indices = false;
  bool ceil_mode = false;  ///< A last window may end behind the padding.
};

/// The options of `AvgPool1d` to `AvgPool3d`, as of `MaxPoolOptions`; without `count_include_pad`
/// the padding does not count.
struct AvgPoolOptions {
  internal::PerAxis stride = 0;
  internal::PerAxis padding = 0;
  bool count_include_pad = true;
  bool ceil_mode = false;
};

}  // namespace tenon

namespace tenon::internal {

/// The numbers of a pooling layer for each axis.
template <int count_, WindowSize size, PerAxis stride, PerAxis padding, PerAxis dilation,
          bool ceil_mode>
struct PoolWindow : Window<count_, size> {
  static_assert(stride.is_for(count_, 0) && padding.is_for(count_, 0) && dilation.is_for(count_, 1),
                "tenon::nn: stride, padding and dilation are one number, or one for each axis");
  using Window = internal::Window<count_, size>;

  static constexpr std::int64_t length(int i) { return Window::shape[i].size; }
  static constexpr Sliding sliding(int i) {
    return {stride[i] == 0 ? length(i) : stride[i], padding[i], dilation[i], ceil_mode};
  }
  static constexpr bool is_uniform = [] {
    for (int i = 1; i < count_; ++i) {
      Sliding const a = sliding(0), b = sliding(i);
      if (length(i) != length(0) || a.stride != b.stride || a.padding != b.padding ||
          a.dilation != b.dilation)
        return false;
    }
    return true;
  }();
};

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
inline constexpr Axes nth_axis = Axes(Window::along(E::shape, nth_window_axis<Window, E, k>));
template <class Window, int i>
inline constexpr std::int64_t nth_length = Window::length(i);
template <class Window, int i>
inline constexpr Sliding nth_sliding = Window::sliding(i);

/// The result of pooling the axes one after the other, from number k on, or the error.
template <class Name, class Window, int k, class E>
constexpr auto pooled_type() {
  if constexpr (k == Window::count) return std::type_identity<E>{};
  else {
    constexpr int i = nth_window_axis<Window, E, k>;
    using R = typename decltype(pool_type<Name, nth_axis<Window, E, k>, nth_length<Window, i>,
                                          nth_sliding<Window, i>, E>())::type;
    if constexpr (Mistake<R>) return std::type_identity<R>{};
    else return pooled_type<Name, Window, k + 1, R>();
  }
}
template <class Name, class Window, class E>
constexpr auto layer_pool_type() {
  if constexpr (!Chosen<axes_of_window<Window>, E>::ok)
    return choice_mistake<Name, axes_of_window<Window>, E>();
  else if constexpr (Window::is_uniform)
    return pool_type<Name, axes_of_window<Window>, nth_length<Window, 0>, nth_sliding<Window, 0>,
                     E>();
  else return pooled_type<Name, Window, 0, E>();
}
/// The values of a pooling layer, or an undefined type that names the error.
template <class Name, class Window, Expression X>
using LayerPooled = typename decltype(layer_pool_type<Name, Window, TensorOf<X>>())::type;

/// Pools some axes.
template <class Name, Axes axes, std::int64_t size, Sliding sliding, class X>
auto pool_by(X const& x) {
  if constexpr (std::same_as<Name, AvgPoolName>) return avg_pool<axes, size, sliding>(x);
  else return max_pool<axes, size, sliding>(x);
}
template <class Name, class Window, int k = 0, TensorType X>
auto pool_windows_of(X const& x) {
  if constexpr (k == Window::count) return x;
  else if constexpr (Window::is_uniform)
    return pool_by<Name, axes_of_window<Window>, nth_length<Window, 0>, nth_sliding<Window, 0>>(x);
  else {
    constexpr int i = nth_window_axis<Window, X, k>;
    auto const y =
        pool_by<Name, nth_axis<Window, X, k>, nth_length<Window, i>, nth_sliding<Window, i>>(x);
    return pool_windows_of<Name, Window, k + 1>(y);
  }
}

/// Maxima with positions, one axis after the other: `pool(x, k)` pools axis number k from behind,
/// `inner` counts the positions along those behind it, of which there are `elements`.
template <class Window, int k, TensorType X, class I, class F>
auto pool_with_indices(X const& x, I const& inner, std::int64_t elements, F const& pool) {
  if constexpr (k == Window::count) return MaxPooling<X, I>{x, inner};
  else {
    auto const here = pool(x, std::integral_constant<int, k>());
    std::int64_t const size = at(x.sizes(), Window::along(X::shape, nth_window_axis<Window, X, k>));
    using J = Unqualified<decltype(here.indices)>;
    if constexpr (k == 0)
      return pool_with_indices<Window, 1>(here.values, here.indices, size, pool);
    else {
      auto const all = static_cast<std::int32_t>(elements);
      J const combined =
          here.indices * all + take_along<nth_axis<Window, X, k>>(inner, here.indices);
      return pool_with_indices<Window, k + 1>(here.values, combined, size * elements, pool);
    }
  }
}

template <class Window, TensorType X>
auto max_pool_positions(X const& x) {
  if constexpr (Window::is_uniform)
    return max_pool_with_indices<axes_of_window<Window>, nth_length<Window, 0>,
                                 nth_sliding<Window, 0>>(x);
  else
    return pool_with_indices<Window, 0>(
        x, 0, 1, []<class E, int k>(E const& e, std::integral_constant<int, k>) {
          constexpr int i = nth_window_axis<Window, E, k>;
          return max_pool_with_indices<nth_axis<Window, E, k>, nth_length<Window, i>,
                                       nth_sliding<Window, i>>(e);
        });
}

template <int count, WindowSize size, MaxPoolOptions options>
struct MaxPool {
  using Window =
      PoolWindow<count, size, options.stride, options.padding, options.dilation, options.ceil_mode>;

  template <Expression X, WellFormed R = LayerPooled<MaxPoolName, Window, X>>
  auto operator()(X&& x) const {
    auto const whole = keep_value(std::forward<X>(x));
    if constexpr (options.return_indices) return max_pool_positions<Window>(whole);
    else return pool_windows_of<MaxPoolName, Window>(whole);
  }
  template <Expression X, IllFormed R = LayerPooled<MaxPoolName, Window, X>>
  auto operator()(X&& x) const -> R;
};

/// The part of each of `places` windows that counts: of elements, and of the padding or not.
inline std::vector<double> counted_parts(Sliding const& sliding, std::int64_t window,
                                         std::int64_t size, bool with_padding) {
  std::vector<double> parts;
  std::int64_t const around = with_padding ? sliding.padding : 0;
  for (std::int64_t i = 0; i < sliding.places(size, window); ++i) {
    std::int64_t const start = i * sliding.stride - sliding.padding;
    std::int64_t const count =
        (std::min)(start + window, size + around) - (std::max)(start, -around);
    parts.push_back(static_cast<double>(count) / static_cast<double>(window));
  }
  return parts;
}

/// `y` divided by the part of each window that counts, along each axis.
template <class Window, bool with_padding, int k = 0, TensorType X, TensorType Y>
auto divide_by_counts(X const& x, Y const& y) {
  if constexpr (k == Window::count) return y;
  else {
    constexpr int axis = Window::along(X::shape, k);
    auto const parts = counted_parts(nth_sliding<Window, k>, nth_length<Window, k>,
                                     at(x.sizes(), axis), with_padding);
    Sizes sizes = unit_sizes();
    at(sizes, 0) = static_cast<std::int64_t>(parts.size());
    auto const table =
        tap_table<typename X::value_type, typename X::device, X::rank - 1 - axis, 1>(sizes, parts);
    return divide_by_counts<Window, with_padding, k + 1>(x, Y(y / table));
  }
}

template <int count, WindowSize size, AvgPoolOptions options>
struct AvgPool {
  using Window =
      PoolWindow<count, size, options.stride, options.padding, PerAxis(1), options.ceil_mode>;

  template <Expression X, WellFormed R = LayerPooled<AvgPoolName, Window, X>>
  auto operator()(X&& x) const -> R {
    auto const whole = keep_value(std::forward<X>(x));
    auto const y = pool_windows_of<AvgPoolName, Window>(whole);
    if constexpr (options.count_include_pad && !options.ceil_mode) return y;
    else return divide_by_counts<Window, options.count_include_pad>(whole, y);
  }
  template <Expression X, IllFormed R = LayerPooled<AvgPoolName, Window, X>>
  auto operator()(X&& x) const -> R;
};

}  // namespace tenon::internal

namespace tenon {

/// The maxima of windows along "time": `MaxPool1d<2>` maps "batch channel time=8" to "batch channel
/// time=4"; otherwise as `MaxPool2d`. PyTorch: `nn.MaxPool1d`.
template <internal::WindowSize size, MaxPoolOptions options = MaxPoolOptions{}>
using MaxPool1d = internal::MaxPool<1, size, options>;

/// The maxima of windows along "height width": `MaxPool2d<2>`, `MaxPool2d<"height=3 width=2",
/// MaxPoolOptions{.stride = 2}>`, `MaxPool2d<"row=2 column=2">`. As `max_pool`, whose window and
/// numbers are those of all axes. PyTorch: `nn.MaxPool2d`.
template <internal::WindowSize size, MaxPoolOptions options = MaxPoolOptions{}>
using MaxPool2d = internal::MaxPool<2, size, options>;

/// The maxima of windows along "depth height width", as `MaxPool2d`. PyTorch: `nn.MaxPool3d`.
template <internal::WindowSize size, MaxPoolOptions options = MaxPoolOptions{}>
using MaxPool3d = internal::MaxPool<3, size, options>;

/// The means of windows along "time", as `MaxPool1d`. PyTorch: `nn.AvgPool1d`.
template <internal::WindowSize size, AvgPoolOptions options = AvgPoolOptions{}>
using AvgPool1d = internal::AvgPool<1, size, options>;

/// The means of windows along "height width", as `MaxPool2d` and `avg_pool`. PyTorch:
/// `nn.AvgPool2d`.
template <internal::WindowSize size, AvgPoolOptions options = AvgPoolOptions{}>
using AvgPool2d = internal::AvgPool<2, size, options>;

/// The means of windows along "depth height width", as `MaxPool2d`. PyTorch: `nn.AvgPool3d`.
template <internal::WindowSize size, AvgPoolOptions options = AvgPoolOptions{}>
using AvgPool3d = internal::AvgPool<3, size, options>;

}  // namespace tenon
