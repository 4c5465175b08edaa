#pragma once

#include <algorithm>
#include <array>
#include <numeric>

#include <tenon/core/config.hpp>
#include <tenon/eval/along_axis/sort.hpp>

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
