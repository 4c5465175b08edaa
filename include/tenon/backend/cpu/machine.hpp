#pragma once

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/backend/cpu/simd/lanes_even.hpp>
#include <tenon/backend/cpu/simd/lanes_rows.hpp>
#include <tenon/backend/cpu/threads.hpp>

namespace tenon::internal {

/// The SIMD backend, `lane_count` elements at a time.
struct CpuMachine {
  static constexpr int count = lane_count;
  template <class T>
  using vector = Lanes<T>;

  /// Calls `f(i)` for every i in [0, chunks), on several threads.
  template <class F>
  static void parallel_for(std::int64_t chunks, F const& f) {
    tenon::internal::parallel_for(chunks, f);
  }

  template <class T>
  static Lanes<T> load(T const* from) {
    return Lanes<T>::load(from);
  }
  template <class T>
  static Lanes<T> load(T const* from, int n) {
    return Lanes<T>::load(from, n);
  }
  template <class T>
  static Lanes<T> load_strided(T const* from, std::int64_t step, int n) {
    if constexpr (simd::Wide<T>)
      if (step == 2) return simd::load_even(from, n);
    T element[lane_count]{};
    for (int i = 0; i < n; ++i) element[i] = from[i * step];
    return Lanes<T>::load(element, n);
  }
  template <class T>
  static void store(Lanes<T> const& value, T* to) {
    value.store(to);
  }
  template <class T>
  static void store(Lanes<T> const& value, T* to, int n) {
    value.store(to, n);
  }
  /// Non-temporal stores: to aligned memory, unordered until a fence.
  template <class T>
  static constexpr bool stores_past_caches =
      (simd::Wide<T> || HalfType<T>)&&simd::Native::stores_past_caches;
  static bool is_aligned(void const* to) {
    return reinterpret_cast<std::uintptr_t>(to) % (sizeof(float) * lane_count) == 0;
  }
  template <class T>
  static void store_past_caches(Lanes<T> const& value, T* to) {
    value.store_past_caches(to);
  }
  static void finish_past_caches() { simd::Native::finish_past_caches(); }
  template <class T>
  static T lane(Lanes<T> const& value, int i) {
    return value.lane(i);
  }
  template <std::floating_point T>
    requires requires { tenon::internal::NumbersSeen<T>(); }
  using NumbersSeen = tenon::internal::NumbersSeen<T>;
  /// The first n lanes; the others are `rest`.
  template <class T>
  TENON_INLINE static Lanes<T> first(Lanes<T> const& value, int n, T rest) {
    return select(Lanes<bool>::first(n), value, Lanes<T>(rest));
  }
  /// The lanes reduced to one value; of n lanes only the first n, the others count as `rest`.
  template <class Op, class T>
  TENON_INLINE static T reduction(Lanes<T> const& value, int n, T rest) {
    if (n == count) return value.template reduced<Op>();
    return first(value, n, rest).template reduced<Op>();
  }
  /// Lane i of the result are the lanes of value i reduced; of `count` values, which are
  /// overwritten.
  template <class Op, std::floating_point T>
    requires simd::Wide<T>
  [[gnu::noinline]] static Lanes<T> reductions(Lanes<T>* values);
};

/// (Not in the class, where it would be inline: see `CpuBackend::multiply`.)
template <class Op, std::floating_point T>
  requires simd::Wide<T>
Lanes<T> CpuMachine::reductions(Lanes<T>* values) {
  Lanes<T> const y = simd::lanes_reduced<Op>(values);
  if constexpr (requires { OfNumbers<Op>::f(y, y); })  // one NaN, as in `reduction`
    return select(y == y, y, Lanes<T>(intrinsics::Layout<T>::nan));
  else return y;
}

}  // namespace tenon::internal
