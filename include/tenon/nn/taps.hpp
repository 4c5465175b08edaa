#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/nn/windows.hpp>

namespace tenon::internal {

/// The elements of an axis that make each of `size` elements of a new one: tap k of element i is
/// entry `k * size + i`.
struct Taps {
  std::int64_t count, size;
  std::vector<std::int64_t> ids;
  std::vector<double> weights;

  Taps(std::int64_t taps, std::int64_t elements)
      : count(taps),
        size(elements),
        ids(static_cast<std::size_t>(taps * elements)),
        weights(ids.size()) {}

  void set(std::int64_t tap, std::int64_t i, std::int64_t id, double weight) {
    auto const at = static_cast<std::size_t>(tap * size + i);
    ids[at] = id;
    weights[at] = weight;
  }
};

/// A table of numbers whose last axes broadcast along `trailing` axes.
template <int trailing, int leading>
struct TapTable {
  static constexpr Shape shape = [] {
    Shape result{};
    for (int i = 0; i < leading + trailing; ++i)
      result[result.rank++] = i < leading ? Axis{} : axis_of_size(1);
    return result;
  }();
};

template <class T, class D, int trailing, int leading, class Numbers>
auto tap_table(Sizes const& sizes, Numbers const& numbers) {
  auto result = Tensor<T, spec_of<TapTable<trailing, leading>>, D>::uninitialised(sizes);
  result.set_elements([&](T* to) {
    for (auto const number : numbers) *to++ = static_cast<T>(number);
  });
  return result;
}

/// The taps of an axis side by side: "… axis …" gives "… tap axis …", without names.
template <int axis, TensorType X>
auto take_taps(X const& x, Taps const& taps) {
  Sizes const sizes = first_sizes(taps.count, taps.size);
  return take<Axes(axis)>(x, tap_table<std::int32_t, typename X::device, 0, 2>(sizes, taps.ids));
}

/// The weighted sums of taps of an axis, as a tensor `R`.
template <class R, int axis, TensorType X>
R sum_taps(X const& x, Taps const& taps) {
  using T = typename X::value_type;
  Sizes result = x.sizes();
  at(result, axis) = taps.size;
  auto const weights = tap_table<T, typename X::device, X::rank - 1 - axis, 2>(
      first_sizes(taps.count, taps.size), taps.weights);
  return reshaped<R>(evaluate_expression(sum<Axes(axis)>(take_taps<axis>(x, taps) * weights)),
                     result);
}

}  // namespace tenon::internal
