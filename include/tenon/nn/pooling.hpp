#pragma once

#include <utility>

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

/// The windows of a pooling layer, as those of `EqualWindows`.
template <int count_, WindowSize size, PerAxis stride, PerAxis padding, PerAxis dilation,
          bool ceil_mode>
struct PoolWindows : Window<count_, size> {
  static_assert(stride.is_for(count_, 0) && padding.is_for(count_, 0) && dilation.is_for(count_, 1),
                "tenon::nn: stride, padding and dilation are one number, or one for each axis");
  using Window = internal::Window<count_, size>;

  /// Those of axis number i of the window.
  static constexpr PooledWindows along_axis(int i) {
    std::int64_t const length = Window::shape[i].size;
    return {length, {stride[i] == 0 ? length : stride[i], padding[i], dilation[i], ceil_mode}};
  }
  static constexpr Pooling of(Shape const& x) {
    Pooling result{choose(x, Window::axes), 1, {}};
    if (result.axes.result != AxisSearch::ok) return result;
    for (int i = 0; i < count_; ++i)
      result.windows[static_cast<std::size_t>(Window::along(x, i))] = along_axis(i);
    return result;
  }
};

template <int count, WindowSize size, MaxPoolOptions options>
struct MaxPool {
  using Windows = PoolWindows<count, size, options.stride, options.padding, options.dilation,
                              options.ceil_mode>;
  using Name = std::conditional_t<options.return_indices, MaxPoolIndicesName, MaxPoolName>;

  template <Expression X, class R = PoolOf<Name, Windows, X>>
    requires(!Mistake<R>)
  auto operator()(X&& x) const -> R {
    return pool_windows_of<Name, Windows, R>(std::forward<X>(x));
  }
  template <Expression X, Mistake R = PoolOf<Name, Windows, X>>
  auto operator()(X&& x) const -> R;
};

/// The part of each window of an axis that counts: of elements, and of the padding or not.
inline std::vector<double> counted_parts(PooledWindows const& windows, std::int64_t length,
                                         bool with_padding) {
  std::vector<double> parts;
  std::int64_t const padding = windows.sliding.padding;
  std::int64_t const around = with_padding ? padding : 0;
  for (std::int64_t i = 0; i < windows.places(length); ++i) {
    std::int64_t const start = i * windows.sliding.stride - padding;
    std::int64_t const count =
        (std::min)(start + windows.size, length + around) - (std::max)(start, -around);
    parts.push_back(static_cast<double>(count) / static_cast<double>(windows.size));
  }
  return parts;
}

/// `y` divided by the part of each window that counts, along each axis.
template <class Windows, bool with_padding, int k = 0, TensorType X, TensorType Y>
auto divide_by_counts(X const& x, Y const& y) {
  if constexpr (k == Windows::count) return y;
  else {
    constexpr int axis = Windows::along(X::shape, k);
    auto const parts = counted_parts(Windows::along_axis(k), at(x.sizes(), axis), with_padding);
    auto const table = tap_table<typename X::value_type, typename X::device, X::rank - 1 - axis, 1>(
        first_sizes(static_cast<std::int64_t>(parts.size())), parts);
    return divide_by_counts<Windows, with_padding, k + 1>(x, Y(y / table));
  }
}

template <int count, WindowSize size, AvgPoolOptions options>
struct AvgPool {
  using Windows =
      PoolWindows<count, size, options.stride, options.padding, PerAxis(1), options.ceil_mode>;

  template <Expression X, WellFormed R = PoolOf<AvgPoolName, Windows, X>>
  auto operator()(X&& x) const -> R {
    auto const whole = keep_value(std::forward<X>(x));
    R const y = pool_windows_of<AvgPoolName, Windows, R>(whole);
    if constexpr (options.count_include_pad && !options.ceil_mode) return y;
    else return divide_by_counts<Windows, options.count_include_pad>(whole, y);
  }
  template <Expression X, IllFormed R = PoolOf<AvgPoolName, Windows, X>>
  auto operator()(X&& x) const -> R;
};

}  // namespace tenon::internal

namespace tenon {

/// The maxima of windows along "time": `MaxPool1d<2>` maps "batch channel time=8" to "batch channel
/// time=4"; otherwise as `MaxPool2d`. PyTorch: `nn.MaxPool1d`.
template <internal::WindowSize size, MaxPoolOptions options = MaxPoolOptions{}>
using MaxPool1d = internal::MaxPool<1, size, options>;

/// The maxima of windows along "height width": `MaxPool2d<2>`, `MaxPool2d<"height=3 width=2",
/// MaxPoolOptions{.stride = 2}>`, `MaxPool2d<"row=2 column=2">`. Other axes, or none, are a batch.
/// As `max_pool`, whose window and numbers are those of all axes. PyTorch: `nn.MaxPool2d`.
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
