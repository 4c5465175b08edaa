#pragma once

#include <tenon/backend/cpu/simd/lanes_machine.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/extremes.hpp>

namespace tenon::internal {

/// `lane_count` elements of a dtype: the V of an op's body in a vectorised loop. The tail of a loop
/// is a partial load and a partial store, never a scalar loop.
template <class T>
struct Lanes;

/// The mask of every comparison, whatever the dtype compared.
template <>
struct Lanes<bool> {
  using value_type = bool;
  simd::Flags<float> flags;

  Lanes() = default;
  Lanes(bool value) : flags(value) {}
  explicit Lanes(simd::Flags<float> f) : flags(f) {}

  static Lanes load(bool const* from) { return Lanes(simd::Native::load(from)); }
  static Lanes load(bool const* from, int count) {
    bool buffer[lane_count];
    for (int i = 0; i < lane_count; ++i) buffer[i] = from[i < count ? i : count - 1];
    return load(buffer);
  }
  void store(bool* to) const { simd::Native::store(flags, to); }
  void store(bool* to, int count) const {
    bool buffer[lane_count];
    store(buffer);
    for (int i = 0; i < count; ++i) to[i] = buffer[i];
  }
  bool lane(int i) const { return flags.get(static_cast<std::size_t>(i)); }

  /// True in the first `count` lanes.
  static Lanes first(int count) { return Lanes(simd::Native::first_flags(count)); }
  bool any() const { return simd::any(flags); }
  bool all() const { return simd::all(flags); }

  /// Reduces all lanes with a commutative op on masks.
  template <class Op>
  bool reduced() const {
    bool lane[lane_count];
    store(lane);
    for (int i = 1; i < lane_count; ++i) lane[0] = Op::f(lane[0], lane[i]);
    return lane[0];
  }

  friend Lanes operator&(Lanes a, Lanes b) { return Lanes(a.flags & b.flags); }
  friend Lanes operator|(Lanes a, Lanes b) { return Lanes(a.flags | b.flags); }
  /// (xsimd 8.1 computes `|` for `^` of two AVX-512 masks.)
  friend Lanes operator^(Lanes a, Lanes b) { return (a | b) & !(a & b); }
  friend Lanes operator!(Lanes a) { return Lanes(~a.flags); }
  friend Lanes operator==(Lanes a, Lanes b) { return !(a ^ b); }
  friend Lanes operator!=(Lanes a, Lanes b) { return a ^ b; }
  friend Lanes operator<(Lanes a, Lanes b) { return (!a) & b; }
  friend Lanes operator>(Lanes a, Lanes b) { return a & (!b); }
  friend Lanes operator<=(Lanes a, Lanes b) { return (!a) | b; }
  friend Lanes operator>=(Lanes a, Lanes b) { return a | (!b); }
  friend Lanes maximum(Lanes a, Lanes b) { return a | b; }
  friend Lanes minimum(Lanes a, Lanes b) { return a & b; }
  friend Lanes select(Lanes mask, Lanes yes, Lanes no) { return (mask & yes) | ((!mask) & no); }
};

namespace simd {

/// The lanes that part `p` of a dtype covers, as its own kind of flags.
template <class T>
Flags<T> part_of(Lanes<bool> mask, [[maybe_unused]] int p) {
  if constexpr (sizeof(T) == sizeof(float)) return recast<T>(mask.flags);
  else return Native::part<T>(mask.flags, p);
}

/// The mask composed of the flags of all parts of a dtype.
template <class T>
Lanes<bool> joined(Flags<T> const (&part)[1]) {
  return Lanes<bool>(recast<float>(part[0]));
}
template <class T>
Lanes<bool> joined(Flags<T> const (&part)[2]) {
  return Lanes<bool>(Native::joined<T>(part[0], part[1]));
}

}  // namespace simd

/// An extreme that assumes no NaN.
template <class Op>
struct OfNumbers {
  template <class V, class Extreme = Op>
  static auto f(V a, V b) -> decltype(Extreme::number(a, b)) {
    return Op::number(a, b);
  }
};

/// Reductions over the lanes of one value, in a fixed tree: lane i with lane i + half, repeatedly.
/// `Op` is commutative, like `op::Add` or `op::Maximum`.
template <class T>
struct LaneReductions {
  template <class Op, int half = lane_count / 2>
  TENON_INLINE T reduced() const {
    auto const& x = static_cast<Lanes<T> const&>(*this);
    if constexpr (requires { OfNumbers<Op>::f(x, x); }) {  // tests for NaN once, not in each step
      T const found = x.template reduced<OfNumbers<Op>>();
      return is_nan(x).any() ? intrinsics::Layout<T>::nan : found;
    } else {
      Lanes<T> const y = Op::f(x, x.template exchanged<half>());
      if constexpr (half == 1) return y.lane(0);
      else return y.template reduced<Op, half / 2>();
    }
  }
  T sum() const { return reduced<op::Add>(); }
  T(max)() const { return reduced<op::Maximum>(); }
  T(min)() const { return reduced<op::Minimum>(); }

  /// Of the first `count` lanes. (x + -0 is x, also for x = -0.)
  T sum(int count) const { return kept(count, static_cast<T>(-0.0)).sum(); }
  T(max)(int count) const { return (kept(count).max)(); }
  T(min)(int count) const { return (kept(count).min)(); }

 private:
  Lanes<T> kept(int count, T rest) const {
    auto const& x = static_cast<Lanes<T> const&>(*this);
    return select(Lanes<bool>::first(count), x, Lanes<T>(rest));
  }
  Lanes<T> kept(int count) const {
    return kept(count, static_cast<Lanes<T> const&>(*this).lane(0));
  }
};

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
