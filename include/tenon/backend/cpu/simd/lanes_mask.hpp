#pragma once

#include <tenon/backend/cpu/simd/lanes_machine.hpp>

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

}  // namespace tenon::internal
