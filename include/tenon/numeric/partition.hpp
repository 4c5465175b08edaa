#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tenon/eval/along_axis/sort.hpp>
#include <tenon/numeric/counts.hpp>

/// Elements before and behind the k-th of the sorted ones, in linear time.
namespace tenon::internal {

/// The positions that `argpartition` returns, or an undefined type that names the error.
template <Axes axis, Expression X>
using Argpartitioned =
    typename decltype(sort_type<Named<"argpartition">, std::int32_t, axis, Unqualified<X>>())::type;

template <Axes axis, Expression X>
using Partitioned =
    typename decltype(sort_type<Named<"partition">, typename Unqualified<X>::value_type, axis,
                                Unqualified<X>>())::type;

/// The positions along an axis, as `int32`, such that the k-th element is where it is in sorted
/// order, none before it is larger and none behind it smaller. k is below the size; x is of a real
/// dtype, not of 16 bits. Throws `IndexError`. NumPy: `argpartition`.
template <Axes axis, Expression X, WellFormed R = Argpartitioned<axis, X>>
auto argpartition(X&& x, std::int64_t k) -> R {
  check_positions<Named<"argpartition">, axis>(x);
  auto const here = host_value("argpartition", x);
  using Order = decltype(ordered_bits(typename Unqualified<X>::value_type()));
  constexpr int along = Chosen<axis, R>::value.axis();
  std::int64_t const length = at(here.sizes(), along);
  if (k < 0 || k >= length) refuse_id("argpartition", "position", 0, k, length);
  auto places = Tensor<std::int32_t, R::spec, Cpu>::uninitialised(here.sizes());
  auto const* const from = stored_elements(here);
  auto* const to = places.own_memory();
  auto const bytes = static_cast<std::size_t>(length) * sizeof(Ranked<Order>);
  for_each_along_axis(here, along, bytes, [=](AlongAxis const& lines, std::byte* scratch) {
    auto* const items = reinterpret_cast<Ranked<Order>*>(scratch);
    for (std::int64_t j = 0; j < lines.width; ++j) {
      auto const place = [=](std::int64_t i) { return lines.start + i * lines.step + j; };
      for (std::int64_t i = 0; i < length; ++i) items[i] = ranked(ordered_bits(from[place(i)]), i);
      std::nth_element(items, items + k, items + length);
      for (std::int64_t i = 0; i < length; ++i) to[place(i)] = place_of(items[i]);
    }
  });
  return moved_to<typename R::device>(places);
}
template <Axes axis, Expression X, IllFormed R = Argpartitioned<axis, X>>
auto argpartition(X&& x, std::int64_t k) -> R;
template <Axes, class X, class R = Refused<Named<"argpartition">, X>>
auto argpartition(X const&, std::int64_t) -> R;

/// The elements along an axis in the order of `argpartition`. NumPy: `partition`.
template <Axes axis, Expression X, WellFormed R = Partitioned<axis, X>>
auto partition(X&& x, std::int64_t k) -> R {
  auto const value = keep_value(std::forward<X>(x));
  return evaluate_expression(take_along<axis>(value, argpartition<axis>(value, k)));
}
template <Axes axis, Expression X, IllFormed R = Partitioned<axis, X>>
auto partition(X&& x, std::int64_t k) -> R;
template <Axes, class X, class R = Refused<Named<"partition">, X>>
auto partition(X const&, std::int64_t) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::argpartition;
using internal::partition;

}  // namespace tenon
