#pragma once

#include <tenon/op/elementary.hpp>

/// The reduction of an angle for sin and cos.
namespace tenon::op {

/// An angle as quarter * pi/2 + rest, with an integer `quarter` and |rest| up to about pi/4.
template <class V>
struct Angle {
  V quarter;
  V rest;
};

/// Up to here pi/2 in parts of 33 bits suffices: their products with `quarter` are exact.
inline constexpr double moderate_angle = 1e6;

/// Cody and Waite's reduction in double, with fdlibm's parts of pi/2.
template <class V>
[[gnu::always_inline]] constexpr Angle<V> reduced_moderate_angle(V x) {
  V const n = round_even(x * V(0.63661977236758134308));
  V const near = fma(n, V(-1.57079632673412561417e+00), x);  // exact
  V const second = n * V(6.07710050630396597660e-11);
  V const rest = near - second, lost = (near - rest) - second;
  V const third = fma(n, V(2.02226624871116645580e-21), -lost);
  return {n, (rest - third) - n * V(8.47842766036889956997e-32)};
}

/// The bits of 2/pi, after 64 zeros.
inline constexpr std::uint64_t two_over_pi[] = {0,
                                                0xa2f9836e4e441529,
                                                0xfc2757d1f534ddc0,
                                                0xdb6295993c439041,
                                                0xfe5163abdebbc561,
                                                0xb7246e3a424dd2e0,
                                                0x06492eea09d1921c,
                                                0xfe1deb1cb129a73e,
                                                0xe88235f52ebb4484,
                                                0xe99c7026b45f7e41,
                                                0x3991d639835339f4,
                                                0x9c845f8bbdf9283b,
                                                0x1ff897ffde05980f,
                                                0xef2f118b5a0a6d1f,
                                                0x6d367ecf27cb09b7,
                                                0x4f463f669e5fea2d,
                                                0x7527bac7ebe5f17b,
                                                0x3d0739f78a5292ea,
                                                0x6bfb5fb11f8d5d08,
                                                0x56033046fc7b6bab};

constexpr std::uint64_t two_over_pi_from(int position) {
  std::uint64_t const* w = two_over_pi + position / 64;
  int const shift = position % 64;
  return shift == 0 ? w[0] : (w[0] << shift) | (w[1] >> (64 - shift));
}

__extension__ using Wide = unsigned __int128;

/// An angle given as a fraction of four quarters, in 128 bits; beyond half a quarter it is counted
/// from the next one.
constexpr Angle<double> angle_of_turns(Wide turns) {
  auto const quarter = static_cast<int>(turns >> 126);
  Wide const part = turns << 2;
  bool const upper = (part >> 127) != 0;
  Wide const size = upper ? Wide{0} - part : part;
  double const high = static_cast<double>(static_cast<std::uint64_t>(size >> 64));
  double const low = static_cast<double>(static_cast<std::uint64_t>(size)) * 0x1p-64;
  double const rest = (high + low) * (1.57079632679489661923 * 0x1p-64);
  return {static_cast<double>(quarter + (upper ? 1 : 0)), upper ? -rest : rest};
}

/// Payne and Hanek's reduction: the mantissa times those bits of 2/pi that matter for the exponent.
/// Correct for every finite angle from 2^19 on. M. Payne, R. Hanek, SIGNUM Newsletter 18 (1983).
constexpr Angle<double> reduced_large_angle(double x) {
  double const a = abs(x);
  int const position = static_cast<int>(exponent(a)) - 52 - 2 + 64;  // those before give 4 n
  std::uint64_t const digits = (bits(a) & Layout<double>::fraction) | (std::uint64_t{1} << 52);
  Wide const low = Wide{digits} * two_over_pi_from(position + 128);
  Wide const middle = Wide{digits} * two_over_pi_from(position + 64) + (low >> 64);
  std::uint64_t const high =
      digits * two_over_pi_from(position) + static_cast<std::uint64_t>(middle >> 64);
  auto const angle = angle_of_turns((Wide{high} << 64) | static_cast<std::uint64_t>(middle));
  return x < 0 ? Angle<double>{-angle.quarter, -angle.rest} : angle;
}

/// Of any double: infinities and NaN have no angle.
constexpr Angle<double> reduced_any_angle(double x) {
  if (!(abs(x) < Layout<double>::infinity)) return {0.0, Layout<double>::nan};
  return abs(x) <= moderate_angle ? reduced_moderate_angle(x) : reduced_large_angle(x);
}

template <class V>
[[gnu::always_inline]] constexpr Angle<V> reduced_angle(V x) {
  auto angle = reduced_moderate_angle(x);
  auto const large = !(abs(x) <= V(moderate_angle));
  if (any(large)) {
    V const quarter = by_lane(x, [](double lane) { return reduced_any_angle(lane).quarter; });
    V const rest = by_lane(x, [](double lane) { return reduced_any_angle(lane).rest; });
    angle = {select(large, quarter, angle.quarter), select(large, rest, angle.rest)};
  }
  return angle;
}

}  // namespace tenon::op
