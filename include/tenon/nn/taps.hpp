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
template <class T, class D, int trailing, int leading>
struct TapTable {
  static constexpr Shape shape = [] {
    Shape result{};
    for (int i = 0; i < leading + trailing; ++i)
      result[result.rank++] = i < leading ? Axis{} : axis_of_size(1);
    return result;
  }();
  struct Rule {
    static constexpr Shape const& shape = TapTable::shape;
  };
  using type = Tensor<T, spec_of<Rule>, D>;
};

template <class T, class D, int trailing, int leading, class Numbers>
auto tap_table(Sizes const& sizes, Numbers const& numbers) {
  auto result = TapTable<T, D, trailing, leading>::type::uninitialised(sizes);
  result.set_elements([&](T* to) {
    for (auto const number : numbers) *to++ = static_cast<T>(number);
  });
  return result;
}

/// A tensor type with another size of one axis.
template <class E, int axis, Axis to>
struct ResizedAxis {
  static constexpr Shape shape = with_axis(E::shape, axis, to);
};

/// The taps of an axis side by side: "… axis …" gives "… tap axis …", without names.
template <int axis, TensorType X>
auto take_taps(X const& x, Taps const& taps) {
  Sizes sizes = unit_sizes();
  at(sizes, 0) = taps.count, at(sizes, 1) = taps.size;
  return take<Axes(axis)>(x, tap_table<std::int32_t, typename X::device, 0, 2>(sizes, taps.ids));
}

/// The weighted sums of taps of an axis, as a tensor `R`.
template <class R, int axis, TensorType X>
R sum_taps(X const& x, Taps const& taps) {
  using T = typename X::value_type;
  Sizes sizes = unit_sizes(), result = x.sizes();
  at(sizes, 0) = taps.count, at(sizes, 1) = taps.size, at(result, axis) = taps.size;
  auto const weights = tap_table<T, typename X::device, X::rank - 1 - axis, 2>(sizes, taps.weights);
  return reshaped<R>(evaluate_expression(sum<Axes(axis)>(take_taps<axis>(x, taps) * weights)),
                     result);
}

}  // namespace tenon::internal
