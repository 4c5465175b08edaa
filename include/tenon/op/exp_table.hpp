#pragma once

#include <tenon/op/elementary.hpp>

/// exp of float on machines with a 16-entry table lookup and scaling by any power of two in one
/// instruction.
namespace tenon::op {

/// 2^(k/16), and its relative rounding error.
struct SixteenthPowers {
  alignas(64) static constexpr float numbers[16] = {
      0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
      0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
      0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
      0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
  alignas(64) static constexpr float lost[16] = {
      0.0f,          4.62855e-08f,  -1.19922e-08f, 4.72978e-08f,  3.19342e-08f, 3.62106e-08f,
      -3.09907e-08f, -7.47521e-09f, 1.71143e-08f,  -3.04768e-08f, 5.23333e-09f, 6.10759e-09f,
      -1.47196e-08f, -5.2588e-09f,  -6.12826e-09f, 5.14061e-09f};
};

/// x = n ln 2 + rest, where n is a multiple of 1/16 whose bits are the lowest of `place`; `near` is
/// the rest but for the lower half of ln 2.
template <class V>
struct Sixteenths {
  V n, reduced;
  decltype(bits(V(0.0f))) place;
  static constexpr float minus_low = -0x1.0bfbe8p-15f;

  constexpr V power() const { return looked_up(place, SixteenthPowers::numbers); }
  constexpr V lost() const { return looked_up(place, SixteenthPowers::lost); }
  constexpr V rest() const { return fma(n, V(minus_low), reduced); }
  constexpr V rest_and_lost() const { return reduced + fma(n, V(minus_low), lost()); }
};

/// Where x leaves the binade of `shift` the rest is not used, and unspecified.
template <class V>
TENON_INLINE constexpr Sixteenths<V> sixteenths(V x) {
  V const shift = V(0x1.8p19f), shifted = fma(x, V(1.44269504f), shift), n = shifted - shift;
  return {n, fma(n, V(-0x1.62ep-1f), x), bits(shifted)};  // the fma is exact: 12 bits
}

/// power * exp(r), for r to ln 2 / 32: the cubic is within 2^-30.
template <class V>
TENON_INLINE constexpr V times_exponential(V power, V r) {
  V const cubic = fma(fma(r, V(0.1666653f), V(0.500022f)), r * r, r);
  return fma(power, cubic, power);
}

/// Error up to 0.96 units in the last place, most of it from rounding the table and the result.
/// Half the time of the polynomial over the 16 times larger range. Where x is out of range, n alone
/// makes the result zero, infinity or NaN, if the rest is bounded.
template <class V>
TENON_INLINE constexpr V exponential_by_table(V x) {
  auto const parts = sixteenths(x);
  V const r = bounded(parts.rest(), V(0x1p-5f));
  return scale_by_floor(times_exponential(parts.power(), r), parts.n);
}

/// factor * exp(-a^2 / 2) for a to 16, where a^2 alone would lose as many bits as it has before the
/// point.
template <class V>
TENON_INLINE constexpr V times_gaussian(V factor, V a) {
  V const square = a * a, half = V(-0.5f);
  auto const parts = sixteenths(square * half);
  V const r = fma(fma(a, a, -square), half, parts.rest());
  return scale_by_floor(times_exponential(factor * parts.power(), r), parts.n);
}

/// exp(x) with an error slightly above half a unit in the last place (above one for subnormal
/// results), for x within the range of exponents. Scaled first: in a dependency chain as long as
/// that of a sigmoid this reduces the latency.
template <class V>
TENON_INLINE constexpr V near_exponential_by_table(V x) {
  auto const parts = sixteenths(x);
  V const power = scale_by_floor(parts.power(), parts.n);
  return times_exponential(power, parts.rest_and_lost());
}

}  // namespace tenon::op
