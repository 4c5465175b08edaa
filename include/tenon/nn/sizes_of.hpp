#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <tenon/tensor/expression.hpp>
#include <tenon/tensor/storage.hpp>

namespace tenon::internal {

/// make(n, m, …) with the run-time sizes of `x` in order, as creation functions take them:
/// `with_sizes_of(x, [](auto... n) { return zeros<R>(n...); })`.
template <Expression X, class Make>
constexpr auto with_sizes_of(X const& x, Make const& make) {
  constexpr std::size_t number = static_cast<std::size_t>(dynamic_axes(X::shape));
  std::array<std::int64_t, number> run_time{};
  Sizes const sizes = x.sizes();
  std::size_t known = 0;
  for (int i = 0; i < X::shape.rank; ++i) {
    if (!X::shape[i].is_static()) run_time[known++] = at(sizes, i);
  }
  return std::apply(make, run_time);
}

}  // namespace tenon::internal
