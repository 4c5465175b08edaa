#pragma once

#include <cstdint>
#include <type_traits>

// g++ 12 warns of an uninitialised __Y inside its own avx512fintrin.h (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop

#include <tenon/op/words.hpp>

namespace tenon {

/// One count for all dtypes, so that a loop may mix them: as many as there are floats in a register.
inline constexpr int lane_count = static_cast<int>(xsimd::batch<float>::size);

/// `lane_count` elements of a dtype that are computed with at once: the V of an op's body in a
/// vectorised loop. The tail of a loop is a partial load and a partial store, never a scalar loop.
template <class T>
struct Lanes;

/// The mask of every comparison, whatever the dtype compared.
template <>
struct Lanes<bool> {
  using value_type = bool;
  using Batch = xsimd::batch_bool<float>;
  Batch batch;

  Lanes() = default;
  Lanes(bool value) : batch(value) {}
  explicit Lanes(Batch b) : batch(b) {}

  static Lanes load(bool const* from) { return Lanes(Batch::load_unaligned(from)); }
  static Lanes load(bool const* from, int count) {
    bool buffer[lane_count];
    for (int i = 0; i < lane_count; ++i) buffer[i] = from[i < count ? i : count - 1];
    return load(buffer);
  }
  void store(bool* to) const { batch.store_unaligned(to); }
  void store(bool* to, int count) const {
    bool buffer[lane_count];
    store(buffer);
    for (int i = 0; i < count; ++i) to[i] = buffer[i];
  }
  bool lane(int i) const { return batch.get(static_cast<std::size_t>(i)); }

  /// True in the first `count` lanes.
  static Lanes first(int count) {
    bool buffer[lane_count];
    for (int i = 0; i < lane_count; ++i) buffer[i] = i < count;
    return load(buffer);
  }
  bool any() const { return xsimd::any(batch); }
  bool all() const { return xsimd::all(batch); }

  friend Lanes operator&(Lanes a, Lanes b) { return Lanes(a.batch & b.batch); }
  friend Lanes operator|(Lanes a, Lanes b) { return Lanes(a.batch | b.batch); }
  friend Lanes operator^(Lanes a, Lanes b) { return Lanes(a.batch ^ b.batch); }
  friend Lanes operator!(Lanes a) { return Lanes(~a.batch); }
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

/// The lanes that part `part` of a wider dtype covers, as its own kind of mask.
template <class T>
xsimd::batch_bool<T> part_of(Lanes<bool> mask, int part) {
  using Batch = xsimd::batch_bool<T>;
  if constexpr (std::is_same_v<T, float>) {
    return mask.batch;
  } else {
    bool buffer[lane_count];
    mask.store(buffer);
    return Batch::load_unaligned(buffer + part * static_cast<int>(Batch::size));
  }
}

/// The mask that the parts of a wider dtype's comparison make up.
template <class T, std::size_t parts>
Lanes<bool> joined(xsimd::batch_bool<T> const (&part)[parts]) {
  if constexpr (std::is_same_v<T, float>) {
    return Lanes<bool>(part[0]);
  } else {
    bool buffer[lane_count];
    for (std::size_t p = 0; p < parts; ++p) part[p].store_unaligned(buffer + p * part[p].size);
    return Lanes<bool>::load(buffer);
  }
}

}  // namespace tenon
