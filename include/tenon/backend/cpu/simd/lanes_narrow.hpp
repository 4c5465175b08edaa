#pragma once

#include <algorithm>

#include <tenon/backend/cpu/simd/lanes_wide.hpp>

namespace tenon::internal {

/// Dtypes without a register of `lane_count` elements: small integers, complex numbers. Plain
/// arrays, processed element by element with the scalar intrinsics.
template <class T>
struct Lanes : LaneReductions<T> {
  using value_type = T;
  T element[lane_count];

  Lanes() = default;
  Lanes(T value) {
    for (T& e : element) e = value;
  }

  static Lanes load(T const* from) {
    Lanes r;
    std::copy_n(from, lane_count, r.element);
    return r;
  }
  static Lanes load(T const* from, int count) {
    return generated([&](int i) { return from[i < count ? i : count - 1]; });
  }
  void store(T* to) const { store(to, lane_count); }
  void store(T* to, int count) const {
    for (int i = 0; i < count; ++i) to[i] = element[i];
  }
  T lane(int i) const { return element[i]; }

  template <class F>
  static Lanes generated(F f) {
    Lanes r;
    for (int i = 0; i < lane_count; ++i) r.element[i] = f(i);
    return r;
  }
  template <class F>
  static Lanes<bool> tested(F f) {
    bool r[lane_count];
    for (int i = 0; i < lane_count; ++i) r[i] = f(i);
    return Lanes<bool>::load(r);
  }

  /// Lane i of the result is lane i ^ step.
  template <int step>
  Lanes exchanged() const {
    return generated([&](int i) { return element[i ^ step]; });
  }

  friend Lanes operator+(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return intrinsics::add(a.element[i], b.element[i]); });
  }
  friend Lanes operator-(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return intrinsics::subtract(a.element[i], b.element[i]); });
  }
  friend Lanes operator*(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return intrinsics::multiply(a.element[i], b.element[i]); });
  }
  friend Lanes operator/(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return intrinsics::divide(a.element[i], b.element[i]); });
  }
  friend Lanes operator-(Lanes const& a) { return Lanes(T(0)) - a; }
  friend Lanes operator%(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return intrinsics::modulo(a.element[i], b.element[i]); });
  }
  friend Lanes operator<<(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return intrinsics::shift_left(a.element[i], b.element[i]); });
  }
  friend Lanes operator>>(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return intrinsics::shift_right(a.element[i], b.element[i]); });
  }
  friend Lanes operator&(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return static_cast<T>(a.element[i] & b.element[i]); });
  }
  friend Lanes operator|(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return static_cast<T>(a.element[i] | b.element[i]); });
  }
  friend Lanes operator^(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return static_cast<T>(a.element[i] ^ b.element[i]); });
  }

  friend Lanes<bool> operator<(Lanes const& a, Lanes const& b) {
    return tested([&](int i) { return a.element[i] < b.element[i]; });
  }
  friend Lanes<bool> operator<=(Lanes const& a, Lanes const& b) { return !(b < a); }
  friend Lanes<bool> operator>(Lanes const& a, Lanes const& b) { return b < a; }
  friend Lanes<bool> operator>=(Lanes const& a, Lanes const& b) { return !(a < b); }
  friend Lanes<bool> operator==(Lanes const& a, Lanes const& b) {
    return tested([&](int i) { return a.element[i] == b.element[i]; });
  }
  friend Lanes<bool> operator!=(Lanes const& a, Lanes const& b) { return !(a == b); }

  friend Lanes select(Lanes<bool> mask, Lanes const& yes, Lanes const& no) {
    bool m[lane_count];
    mask.store(m);
    return generated([&](int i) { return m[i] ? yes.element[i] : no.element[i]; });
  }
};

/// The elements of a value of lanes.
template <class T>
struct LaneElements {
  T element[lane_count];
  explicit LaneElements(Lanes<T> const& x) { x.store(element); }
};

/// The intrinsic for lanes: the results of any dtype.
template <class F, class... T>
auto by_element(F const& f, Lanes<T> const&... x) {
  using R = decltype(f(x.lane(0)...));
  auto const results = [&f](LaneElements<T> const&... from) {
    R to[lane_count];
    for (int i = 0; i < lane_count; ++i) to[i] = f(from.element[i]...);
    return Lanes<R>::load(to);
  };
  return results(LaneElements<T>(x)...);
}

}  // namespace tenon::internal
