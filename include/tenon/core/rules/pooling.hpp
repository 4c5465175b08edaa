#pragma once

#include <cstdint>

#include <tenon/core/rules/convolution.hpp>
#include <tenon/core/rules/join.hpp>

namespace tenon::internal {

/// Pooling: windows of `window` elements along each of some axes.
struct Pooling {
  AxisChoice axes;
  std::int64_t window = 1;
  Sliding sliding{};

  constexpr std::int64_t reach() const { return sliding.reach(window); }

  /// The reason why these numbers are refused; empty where they are valid.
  constexpr FixedText mistake() const {
    if (axes.count == 0) return "a tensor without axes";
    if (window < 1 || sliding.stride < 1 || sliding.dilation < 1) return "a number below 1";
    if (sliding.padding < 0 || 2 * sliding.padding > window)
      return "more padding than half a window";
    return {};
  }

  /// The first axis that is shorter than a window, with its padding; -1 where there is none.
  constexpr int short_axis(Shape const& x) const {
    for (int i = 0; i < x.rank; ++i) {
      std::int64_t const longest = x[i].is_static() ? x[i].size : x[i].upper;
      if (axes[i] && longest < reach() - 2 * sliding.padding) return i;
    }
    return -1;
  }

  /// The shape of the result: a pooled axis has the number of windows as its size.
  constexpr Shape shape(Shape const& x) const {
    Shape result = x;
    for (int i = 0; i < x.rank; ++i)
      if (axes[i])
        result = with_axis(result, i, sliding.places(x[i], named_axis(x[i].name.view(), window)));
    return result;
  }
};

}  // namespace tenon::internal
