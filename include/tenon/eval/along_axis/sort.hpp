#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <tenon/eval/along_axis/along_axis.hpp>
#include <tenon/op/intrinsics.hpp>

namespace tenon::internal {

/// An unsigned integer with the order of a number: -0 is 0, NaN is the largest.
template <class T>
constexpr auto ordered_bits(T x) {
  if constexpr (std::floating_point<T>) {
    using Bits = typename intrinsics::Layout<T>::Bits;
    if (intrinsics::is_nan(x)) return static_cast<Bits>(~Bits{0});
    auto const bits = std::bit_cast<Bits>(x + T(0));
    return static_cast<Bits>(x < T(0) ? ~bits : bits | intrinsics::Layout<T>::sign);
  } else {
    using Bits = std::make_unsigned_t<T>;
    auto const lowest = static_cast<Bits>((std::numeric_limits<T>::min)());
    return static_cast<Bits>(static_cast<Bits>(x) ^ lowest);
  }
}

/// A sort key: an element's order, and among equals its position, so that the result is unique and
/// stable. One integer where both fit.
template <class Order>
using Ranked =
    std::conditional_t<sizeof(Order) <= 4, std::uint64_t, std::pair<std::uint64_t, std::uint32_t>>;

template <class Order>
constexpr Ranked<Order> ranked(Order order, std::int64_t place) {
  if constexpr (sizeof(Order) <= 4)
    return std::uint64_t{order} << 32 | static_cast<std::uint64_t>(place);
  else return {order, static_cast<std::uint32_t>(place)};
}
constexpr std::int32_t place_of(std::uint64_t ranked) {
  return static_cast<std::int32_t>(ranked & 0xffffffffu);
}
constexpr std::int32_t place_of(std::pair<std::uint64_t, std::uint32_t> const& ranked) {
  return static_cast<std::int32_t>(ranked.second);
}

/// Sorts the first `kept` items and returns where they are; the rest is in no order. For a small
/// `kept` the other items are only compared.
template <class Order, class Item>
Item* sorted_first(Item* items, Item* spare, std::int64_t count, std::int64_t kept);

/// The positions of the smallest elements along an axis, or of the largest, in order: as many as
/// `R` has.
template <TensorType R, TensorType E>
R places_in_lines(E const& x, Sizes const& sizes, int axis, bool largest_first) {
  using Order = decltype(ordered_bits(typename E::value_type()));
  R result = R::uninitialised(sizes);
  std::int64_t const length = at(x.sizes(), axis), kept = at(sizes, axis);
  auto const* const from = stored_elements(x);
  std::int32_t* const to = result.own_memory();
  auto const bytes = static_cast<std::size_t>(2 * length) * sizeof(Ranked<Order>);
  for_each_along_axis(x, axis, bytes, [=](AlongAxis const& lines, std::byte* scratch) {
    auto* const items = reinterpret_cast<Ranked<Order>*>(scratch);
    std::int64_t const before = lines.start / (length * lines.step);
    std::int64_t const start = lines.start - before * (length - kept) * lines.step;
    for (std::int64_t j = 0; j < lines.width; ++j) {
      for (std::int64_t i = 0; i < length; ++i) {
        Order const order = ordered_bits(from[lines.start + i * lines.step + j]);
        items[i] = ranked(largest_first ? static_cast<Order>(~order) : order, i);
      }
      auto const* const first = sorted_first<Order>(items, items + length, length, kept);
      for (std::int64_t i = 0; i < kept; ++i) to[start + i * lines.step + j] = place_of(first[i]);
    }
  });
  return result;
}

/// The same on the device of the tensor.
template <TensorType R, TensorType E>
R ordered_places(E const& x, Sizes const& sizes, int axis, bool largest_first) {
  if (tracing::is_on()) [[unlikely]] {
    std::array<std::int64_t, 2> const numbers{axis, largest_first};
    return tracing::called(
        "argsort", sizes, numbers, [&] { return ordered_places<R>(x, sizes, axis, largest_first); },
        x);
  }
  if constexpr (E::device::is_host) return places_in_lines<R>(x, sizes, axis, largest_first);
  else return BackendOf<typename E::device>::template argsort<R>(x, sizes, axis, largest_first);
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/along_axis/sort.ipp>
#endif
