#pragma once

#include <tenon/backend/cpu/lanes_machine.hpp>

namespace tenon {

/// `lane_count` elements of a dtype that are computed with at once: the V of an op's body in a
/// vectorised loop. The tail of a loop is a partial load and a partial store, never a scalar loop.
template <class T>
struct Lanes;

/// The mask of every comparison, whatever the dtype compared.
template <>
struct Lanes<bool> {
  using value_type = bool;
  Flags<float> flags;

  Lanes() = default;
  Lanes(bool value) : flags(value) {}
  explicit Lanes(Flags<float> f) : flags(f) {}

  static Lanes load(bool const* from) { return Lanes(Machine::load(from)); }
  static Lanes load(bool const* from, int count) {
    bool buffer[lane_count];
    for (int i = 0; i < lane_count; ++i) buffer[i] = from[i < count ? i : count - 1];
    return load(buffer);
  }
  void store(bool* to) const { Machine::store(flags, to); }
  void store(bool* to, int count) const {
    bool buffer[lane_count];
    store(buffer);
    for (int i = 0; i < count; ++i) to[i] = buffer[i];
  }
  bool lane(int i) const { return flags.get(static_cast<std::size_t>(i)); }

  /// True in the first `count` lanes.
  static Lanes first(int count) { return Lanes(Machine::first_flags(count)); }
  bool any() const { return xsimd::any(flags); }
  bool all() const { return xsimd::all(flags); }

  friend Lanes operator&(Lanes a, Lanes b) { return Lanes(a.flags & b.flags); }
  friend Lanes operator|(Lanes a, Lanes b) { return Lanes(a.flags | b.flags); }
  friend Lanes operator^(Lanes a, Lanes b) { return Lanes(a.flags ^ b.flags); }
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

/// The lanes that part `p` of a dtype covers, as its own kind of flags.
template <class T>
Flags<T> part_of(Lanes<bool> mask, [[maybe_unused]] int p) {
  if constexpr (sizeof(T) == sizeof(float)) return recast<T>(mask.flags);
  else return Machine::part<T>(mask.flags, p);
}

/// The mask that the flags of all parts of a dtype make up.
template <class T>
Lanes<bool> joined(Flags<T> const (&part)[1]) {
  return Lanes<bool>(recast<float>(part[0]));
}
template <class T>
Lanes<bool> joined(Flags<T> const (&part)[2]) {
  return Lanes<bool>(Machine::joined<T>(part[0], part[1]));
}

}  // namespace tenon
