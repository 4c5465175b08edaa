#pragma once

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/add_overlapping.hpp>

namespace tenon::internal {

TENON_RUNTIME std::array<int, max_rank> nested_axes(Sizes const& sizes, Sizes const& like,
                                                    int rank) {
  std::array<int, max_rank> axes{};
  std::iota(axes.begin(), axes.end(), 0);
  auto const is_before = [&](int a, int b) {
    return std::tuple(-std::abs(at(like, a)), at(sizes, a), a) <
           std::tuple(-std::abs(at(like, b)), at(sizes, b), b);
  };
  // g++ 12 warns falsely about the end of a short array in std::sort (-Warray-bounds).
  for (auto i = axes.begin(); i != axes.begin() + rank; ++i)
    std::rotate(std::upper_bound(axes.begin(), i, *i, is_before), i, i + 1);
  return axes;
}

TENON_RUNTIME Sizes nested_strides(Sizes const& sizes, Sizes const& like, int rank) {
  auto const axes = nested_axes(sizes, like, rank);
  Sizes strides{};
  std::int64_t step = 1;
  for (int i = rank; i-- > 0; step *= at(sizes, axes[static_cast<std::size_t>(i)]))
    at(strides, axes[static_cast<std::size_t>(i)]) = step;
  return strides;
}

}  // namespace tenon::internal
