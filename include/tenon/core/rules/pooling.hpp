#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tenon/core/rules/convolution.hpp>
#include <tenon/core/rules/join.hpp>

namespace tenon::internal {

/// The windows along one axis: their number of elements, and how they slide.
struct PooledWindows {
  std::int64_t size = 1;
  Sliding sliding{};

  constexpr std::int64_t reach() const { return sliding.reach(size); }
  constexpr std::int64_t places(std::int64_t length) const { return sliding.places(length, size); }

  /// The reason why these numbers are refused; empty where they are valid.
  constexpr FixedText mistake() const {
    if (size < 1 || sliding.stride < 1 || sliding.dilation < 1) return "a number below 1";
    if (sliding.padding < 0 || 2 * sliding.padding > size) return "more padding than half a window";
    return {};
  }
};

/// Pooling: windows along each of some axes.
struct Pooling {
  AxisChoice axes;
  std::array<PooledWindows, std::size_t{max_rank}> windows;  ///< By axis.

  /// The same windows along all of them.
  constexpr Pooling(AxisChoice const& chosen, std::int64_t size, Sliding const& sliding)
      : axes(chosen), windows{} {
    windows.fill({size, sliding});
  }

  constexpr PooledWindows const& operator[](int axis) const {
    return windows[static_cast<std::size_t>(axis)];
  }

  constexpr FixedText mistake() const {
    if (axes.count == 0) return "a tensor without axes";
    for (int i = 0; i < max_rank; ++i)
      if (axes[i] && !(*this)[i].mistake().view().empty()) return (*this)[i].mistake();
    return {};
  }

  /// The first axis that is shorter than a window, with its padding; -1 where there is none.
  constexpr int short_axis(Shape const& x) const {
    for (int i = 0; i < x.rank; ++i) {
      std::int64_t const longest = x[i].is_static() ? x[i].size : x[i].upper;
      if (axes[i] && longest < (*this)[i].reach() - 2 * (*this)[i].sliding.padding) return i;
    }
    return -1;
  }

  /// The shape of the result: a pooled axis has the number of windows as its size.
  constexpr Shape shape(Shape const& x) const {
    Shape result = x;
    for (int i = 0; i < x.rank; ++i) {
      Axis const window = named_axis(x[i].name.view(), (*this)[i].size);
      if (axes[i]) result = with_axis(result, i, (*this)[i].sliding.places(x[i], window));
    }
    return result;
  }
};

}  // namespace tenon::internal
