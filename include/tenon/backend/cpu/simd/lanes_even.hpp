#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <tenon/backend/cpu/simd/lanes_wide.hpp>
#include <tenon/backend/cpu/simd/registers.hpp>

namespace tenon::internal::simd {

/// The even elements of one register followed by those of another, whose first `skipped` are left
/// out.
template <int width>
constexpr LaneOrder<width> even_elements(int skipped) {
  LaneOrder<width> order{};
  for (int i = 0; i < width; ++i)
    order[static_cast<std::size_t>(i)] = 2 * i < width ? 2 * i : 2 * i + skipped;
  return order;
}
template <int skipped, class T>
TENON_INLINE inline Batch<T> even_lanes(Batch<T> const& low, Batch<T> const& high) {
  using Whole = Register<T, width<T>>;
  return std::bit_cast<Batch<T>>(shuffled<even_elements<width<T>>(skipped)>(
      std::bit_cast<Whole>(low), std::bit_cast<Whole>(high)));
}

/// Every other element, from the first on, by two loads and a permutation. No element behind the
/// last is read.
template <Wide T>
TENON_INLINE inline Lanes<T> load_even(T const* from) {
  Lanes<T> result;
  for (int p = 0; p < Lanes<T>::parts; ++p, from += 2 * width<T>)
    result.part[p] = even_lanes<1>(Batch<T>::load_unaligned(from),
                                   Batch<T>::load_unaligned(from + width<T> - 1));
  return result;
}
/// The same for `n` of them.
template <Wide T>
TENON_INLINE inline Lanes<T> load_even(T const* from, int n) {
  if (n == lane_count) return load_even(from);
  int const all = 2 * n - 1;
  Lanes<T> const low = Lanes<T>::load(from, (std::min)(lane_count, all));
  Lanes<T> const high =
      all > lane_count ? Lanes<T>::load(from + lane_count, all - lane_count) : low;
  constexpr int parts = Lanes<T>::parts;
  Lanes<T> result;
  for (int p = 0; p < parts; ++p) {
    auto const part = [&](int i) { return i < parts ? low.part[i] : high.part[i - parts]; };
    result.part[p] = even_lanes<0>(part(2 * p), part(2 * p + 1));
  }
  return result;
}

}  // namespace tenon::internal::simd

/// Elements at equal distances, as registers.
namespace tenon::internal::simd {

/// The first `count` lanes, at least one.
template <class T>
TENON_INLINE inline Batch<T> load_first(T const* from, int count) {
  return count >= width<T> ? Batch<T>::load_unaligned(from) : Native::load<T>(from, count, T(0));
}
template <class T>
TENON_INLINE inline void store_first(Batch<T> const& x, T* to, int count) {
  if (count >= width<T>) x.store_unaligned(to);
  else Native::store<T>(x, to, count);
}

/// Every other element; the other lanes are zero. No element behind the last is read.
template <class T>
TENON_INLINE inline Batch<T> load_alternate(T const* from, int count) {
  if (count >= width<T>)
    return even_lanes<1>(Batch<T>::load_unaligned(from),
                         Batch<T>::load_unaligned(from + width<T> - 1));
  int const all = 2 * count - 1;
  Batch<T> const high =
      all > width<T> ? load_first(from + width<T>, all - width<T>) : Batch<T>(T(0));
  return even_lanes<0>(load_first(from, all), high);
}

/// `count` elements, `step` apart: at least one and at most a register. The other lanes are zero,
/// except for `step` 0: one element is in all lanes.
template <class T>
TENON_INLINE inline Batch<T> load_steps(T const* from, std::int64_t step, int count) {
  if (step == 1) return load_first(from, count);
  if (step == 0) return Batch<T>(*from);
  if (step == 2) return load_alternate(from, count);
  T element[width<T>]{};
  for (int i = 0; i < count; ++i) element[i] = from[i * step];
  return Batch<T>::load_unaligned(element);
}

/// Copies elements that are `step` apart.
template <class T>
TENON_INLINE inline void copy_steps(T const* from, std::int64_t step, std::int64_t count, T* to) {
  for (; count >= width<T>; count -= width<T>, from += step * width<T>, to += width<T>)
    load_steps(from, step, width<T>).store_unaligned(to);
  if (auto const left = static_cast<int>(count); left > 0)
    store_first(load_steps(from, step, left), to, left);
}

}  // namespace tenon::internal::simd
