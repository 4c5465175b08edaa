#pragma once

#include <cstdint>

#include <tenon/backend/cpu/simd/lanes_even.hpp>

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
