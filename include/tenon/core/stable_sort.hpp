#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// A stable merge sort by `before`. (`std::stable_sort` of libstdc++ 12 calls a deprecated
/// function; clang 17 and newer warn.)
template <class T, class Before>
void stable_sort(std::vector<T>& items, Before const& before) {
  std::size_t const n = items.size();
  std::vector<std::size_t> order(n), merged(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const at = [&](std::size_t i) {
    return order.begin() + static_cast<std::ptrdiff_t>((std::min)(i, n));
  };
  for (std::size_t run = 1; run < n; run *= 2, order.swap(merged))
    for (std::size_t i = 0; i < n; i += 2 * run)
      std::merge(at(i), at(i + run), at(i + run), at(i + 2 * run),
                 merged.begin() + static_cast<std::ptrdiff_t>(i),
                 [&](std::size_t a, std::size_t b) { return before(items[a], items[b]); });
  std::vector<T> sorted;
  sorted.reserve(n);
  for (std::size_t const i : order) sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace tenon::internal
