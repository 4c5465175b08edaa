#pragma once

#include <tenon/backend/cpu/simd/lanes_reduction.hpp>

namespace tenon::internal {

namespace simd {
/// The dtypes with registers; others are plain arrays.
template <class T>
concept Wide = std::is_same_v<T, float> || std::is_same_v<T, double> ||
               std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> ||
               std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;
}  // namespace simd

template <simd::Wide T>
struct Lanes<T> : LaneReductions<T> {
  using value_type = T;
  static constexpr int width = simd::width<T>;
  static constexpr int parts = lane_count / width;
  simd::Batch<T> part[std::size_t{parts}];

  Lanes() = default;
  TENON_INLINE Lanes(T value) {  // a constant; g++ emits a call in long programs
    for (int p = 0; p < parts; ++p) part[p] = simd::Batch<T>(value);
  }

  static Lanes load(T const* from) {
    Lanes r;
    for (int p = 0; p < parts; ++p) r.part[p] = simd::Batch<T>::load_unaligned(from + p * width);
    return r;
  }
  static Lanes load(T const* from, int count) {
    Lanes r;
    for (int p = 0; p < parts; ++p) {  // a part past the end: g++ 12 warns of its address
      if (p > 0 && p * width >= count) r.part[p] = simd::Batch<T>(from[count - 1]);
      else r.part[p] = simd::Native::load<T>(from + p * width, count - p * width, from[count - 1]);
    }
    return r;
  }
  void store(T* to) const {
    for (int p = 0; p < parts; ++p) part[p].store_unaligned(to + p * width);
  }
  void store(T* to, int count) const {  // as above
    for (int p = 0; p < parts && p * width < count; ++p) {
      simd::Native::store<T>(part[p], to + p * width, count - p * width);
    }
  }
  void store_past_caches(T* to) const {
    for (int p = 0; p < parts; ++p) simd::Native::store_past_caches(part[p], to + p * width);
  }
  T lane(int i) const { return part[i / width].get(static_cast<std::size_t>(i % width)); }

  /// Applies a function of batches to every part.
  template <class F, class... L>
  TENON_INLINE static Lanes mapped(F f, L const&... x) {
    Lanes r;
    for (int p = 0; p < parts; ++p) r.part[p] = f(x.part[p]...);
    return r;
  }
  template <class F>
  TENON_INLINE static Lanes<bool> tested(F f, Lanes a, Lanes b) {
    simd::Flags<T> r[std::size_t{parts}];
    for (int p = 0; p < parts; ++p) r[p] = f(a.part[p], b.part[p]);
    return simd::joined(r);
  }
  /// Applies a function of scalars to every lane: for functions without vector instructions.
  template <class F>
  static Lanes by_lane(F f, Lanes a, Lanes b) {
    T x[lane_count], y[lane_count];
    a.store(x);
    b.store(y);
    for (int i = 0; i < lane_count; ++i) x[i] = f(x[i], y[i]);
    return load(x);
  }

  /// Lane i of the result is lane i ^ step.
  template <int step>
  Lanes exchanged() const {
    Lanes r;
    for (int p = 0; p < parts; ++p) {
      if constexpr (step >= width) r.part[p] = part[p ^ (step / width)];
      else r.part[p] = simd::Native::template exchanged<step>(part[p]);
    }
    return r;
  }

  TENON_INLINE friend Lanes operator+(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x + y; }, a, b);
  }
  TENON_INLINE friend Lanes operator-(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x - y; }, a, b);
  }
  TENON_INLINE friend Lanes operator*(Lanes a, Lanes b) {
    if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
      return by_lane([](T x, T y) { return intrinsics::multiply(x, y); }, a, b);
    else return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x * y; }, a, b);
  }
  TENON_INLINE friend Lanes operator/(Lanes a, Lanes b) {
    if constexpr (std::is_integral_v<T>)
      return by_lane([](T x, T y) { return intrinsics::divide(x, y); }, a, b);
    else return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x / y; }, a, b);
  }
  TENON_INLINE friend Lanes operator%(Lanes a, Lanes b) {
    return by_lane([](T x, T y) { return intrinsics::modulo(x, y); }, a, b);
  }
  TENON_INLINE friend Lanes operator-(Lanes a) {
    if constexpr (std::is_integral_v<T>) return Lanes(T(0)) - a;
    else return a ^ Lanes(T(-0.0));  // xsimd 8.1 subtracts from 0, which loses the -0
  }
  TENON_INLINE friend Lanes operator&(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x & y; }, a, b);
  }
  TENON_INLINE friend Lanes operator|(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x | y; }, a, b);
  }
  TENON_INLINE friend Lanes operator^(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x ^ y; }, a, b);
  }
  TENON_INLINE friend Lanes operator<<(Lanes a, int n)
    requires std::is_integral_v<T>
  {
    return mapped([n](simd::Batch<T> x) { return x << n; }, a);
  }
  TENON_INLINE friend Lanes operator>>(Lanes a, int n)
    requires std::is_integral_v<T>
  {
    return mapped([n](simd::Batch<T> x) { return x >> n; }, a);
  }
  TENON_INLINE friend Lanes operator<<(Lanes a, Lanes n) {
    return by_lane([](T x, T y) { return intrinsics::shift_left(x, y); }, a, n);
  }
  TENON_INLINE friend Lanes operator>>(Lanes a, Lanes n) {
    return by_lane([](T x, T y) { return intrinsics::shift_right(x, y); }, a, n);
  }

  TENON_INLINE friend Lanes<bool> operator<(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return x < y; }, a, b);
  }
  TENON_INLINE friend Lanes<bool> operator<=(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return x <= y; }, a, b);
  }
  TENON_INLINE friend Lanes<bool> operator>(Lanes a, Lanes b) { return b < a; }
  TENON_INLINE friend Lanes<bool> operator>=(Lanes a, Lanes b) { return b <= a; }
  TENON_INLINE friend Lanes<bool> operator==(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return x == y; }, a, b);
  }
  TENON_INLINE friend Lanes<bool> operator!=(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return simd::Native::not_equal(x, y); },
                  a, b);
  }

  TENON_INLINE friend Lanes select(Lanes<bool> mask, Lanes yes, Lanes no) {
    Lanes r;
    for (int p = 0; p < parts; ++p) {
      r.part[p] = simd::Native::select(simd::part_of<T>(mask, p), yes.part[p], no.part[p]);
    }
    return r;
  }
};

}  // namespace tenon::internal
