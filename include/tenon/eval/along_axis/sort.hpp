#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
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

#include <algorithm>
#include <array>
#include <numeric>

namespace tenon::internal {

/// A byte of the order in a sort key.
constexpr std::size_t byte_of(std::uint64_t ranked, int byte) {
  return ranked >> (32 + 8 * byte) & 255;
}
constexpr std::size_t byte_of(std::pair<std::uint64_t, std::uint32_t> const& ranked, int byte) {
  return ranked.first >> (8 * byte) & 255;
}

/// Radix sort of items whose positions ascend, by the bytes of their order, the lowest first;
/// `spare` has space for as many. Returns where they are.
template <class Item>
Item* radix_sorted(Item* items, Item* spare, std::int64_t count, int bytes) {
  for (int byte = 0; byte < bytes; ++byte) {
    std::array<std::int64_t, 256> next{};
    for (std::int64_t i = 0; i < count; ++i) ++next[byte_of(items[i], byte)];
    if (next[byte_of(items[0], byte)] == count) continue;
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::int64_t{0});
    for (std::int64_t i = 0; i < count; ++i) spare[next[byte_of(items[i], byte)]++] = items[i];
    std::swap(items, spare);
  }
  return items;
}

/// From this number of items on, radix sort is faster than comparisons.
inline constexpr std::int64_t shortest_radix = 256;

template <class Order, class Item>
Item* sorted_first(Item* items, Item* spare, std::int64_t count, std::int64_t kept) {
  if (kept < count / 8) std::partial_sort(items, items + kept, items + count);
  else if (count < shortest_radix) std::sort(items, items + count);
  else return radix_sorted(items, spare, count, int{sizeof(Order)});
  return items;
}

#if defined(TENON_IMPLEMENTATION)
template Ranked<std::uint8_t>* sorted_first<std::uint8_t>(Ranked<std::uint8_t>*,
                                                          Ranked<std::uint8_t>*, std::int64_t,
                                                          std::int64_t);
template Ranked<std::uint16_t>* sorted_first<std::uint16_t>(Ranked<std::uint16_t>*,
                                                            Ranked<std::uint16_t>*, std::int64_t,
                                                            std::int64_t);
template Ranked<std::uint32_t>* sorted_first<std::uint32_t>(Ranked<std::uint32_t>*,
                                                            Ranked<std::uint32_t>*, std::int64_t,
                                                            std::int64_t);
template Ranked<std::uint64_t>* sorted_first<std::uint64_t>(Ranked<std::uint64_t>*,
                                                            Ranked<std::uint64_t>*, std::int64_t,
                                                            std::int64_t);
#endif

}  // namespace tenon::internal

#endif
