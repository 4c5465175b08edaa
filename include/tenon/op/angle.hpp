#pragma once

#include <string_view>

#include <tenon/op/elementary.hpp>

/// Argument reduction for sin and cos.
namespace tenon::op {

/// An angle as quarter * pi/2 + rest, with an integer `quarter` and |rest| up to about pi/4.
template <class V>
struct Angle {
  V quarter;
  V rest;
};

/// Up to this angle pi/2 in parts of 33 bits suffices: their products with `quarter` are exact.
inline constexpr double moderate_angle = 1e6;

/// Cody and Waite's reduction in double, with fdlibm's parts of pi/2.
template <class V>
TENON_INLINE constexpr Angle<V> reduced_moderate_angle(V x) {
  V const n = round_even(x * V(0.63661977236758134308));
  V const reduced = fma(n, V(-1.57079632673412561417e+00), x);  // exact
  V const second = n * V(6.07710050630396597660e-11);
  V const rest = reduced - second, lost = (reduced - rest) - second;
  V const third = fma(n, V(2.02226624871116645580e-21), -lost);
  return {n, (rest - third) - n * V(8.47842766036889956997e-32)};
}

/// The bits of 2/pi, after 64 zeros.
struct TwoOverPi {
  static constexpr std::string_view name = "two_over_pi";
  static constexpr std::uint64_t entries[] = {0,
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
};

/// 64 bits of the table from any position on.
template <class B>
constexpr B two_over_pi_from(B position) {
  B const at = position >> 6, shift = position & B(63);
  return (entry<TwoOverPi>(at) << shift) | ((entry<TwoOverPi>(at + B(1)) >> 1) >> (B(63) - shift));
}

/// A fraction of four quarter turns in 128 bits.
template <class B>
struct Turns {
  B high;
  B low;
};

/// The mantissa of an angle times the relevant bits of 2/pi, from `position` on.
template <class B>
constexpr Turns<B> turns_of(B digits, B position) {
  B const first = two_over_pi_from(position), second = two_over_pi_from(position + B(64));
  B const third = two_over_pi_from(position + B(128)), product = digits * second;
  B const low = product + multiply_high(digits, third);
  B const carry = select(low < product, B(1), B(0));
  return {digits * first + multiply_high(digits, second) + carry, low};
}

/// An angle from its turns; beyond half a quarter it is relative to the next one.
template <class V, class B>
constexpr Angle<V> angle_of_turns(Turns<B> turns) {
  B const zero = B(0), low = turns.low << 2, high = (turns.high << 2) | (turns.low >> 62);
  auto const upper = (high >> 63) != zero;
  B const borrow = select(low != zero, B(1), zero);
  V const above = convert<double>(select(upper, zero - high - borrow, high));
  V const below = convert<double>(select(upper, zero - low, low)) * V(0x1p-64);
  V const rest = (above + below) * V(1.57079632679489661923 * 0x1p-64);
  B const quarter = (turns.high >> 62) + select(upper, B(1), zero);
  return {convert<double>(quarter), select(upper, -rest, rest)};
}

/// Payne and Hanek's reduction: the mantissa times the bits of 2/pi that are relevant for the
/// exponent. Correct for every finite angle from 2^19 on. M. Payne, R. Hanek, SIGNUM Newsletter 18
/// (1983).
template <class V>
constexpr Angle<V> reduced_large_angle(V x) {
  V const a = abs(x);
  auto const digits = bits(a);
  using B = std::remove_const_t<decltype(digits)>;
  B const position = convert<std::uint64_t>(exponent(a)) + B(10);  // 64 - 52 - 2: the bits before
                                                                   // are multiples of 4
  B const mantissa = (digits & B(Layout<double>::fraction)) | B(std::uint64_t{1} << 52);
  auto const angle = angle_of_turns<V>(turns_of(mantissa, position));
  auto const below = x < V(0.0);
  return {select(below, -angle.quarter, angle.quarter), select(below, -angle.rest, angle.rest)};
}

template <class V>
TENON_INLINE constexpr Angle<V> reduced_angle(V x) {
  auto const angle = reduced_moderate_angle(x);
  V const size = abs(x);
  auto const large = (size > V(moderate_angle)) & (size < V(Layout<double>::infinity));
  auto const quarter = [](auto lane) { return reduced_large_angle(lane).quarter; };
  auto const rest = [](auto lane) { return reduced_large_angle(lane).rest; };
  V const nowhere = select(size < V(Layout<double>::infinity), angle.rest, V(Layout<double>::nan));
  return {rarely(large, x, quarter, angle.quarter), rarely(large, x, rest, nowhere)};
}

}  // namespace tenon::op

/// The sine of a float without double, for machines that have none: to three units in the last
/// place, where computing in double rounds correctly.
namespace tenon::op {

/// Whether the machine of these values has no double. Only symbols report it.
template <class V>
TENON_INLINE constexpr bool has_no_double(V x) {
  if constexpr (requires { lacks_double(x); }) return lacks_double(x);
  else return false;
}

/// Whether it can be so.
template <class V>
inline constexpr bool may_have_no_double =
    sizeof(scalar_of<V>) == 4 && requires(V x) { lacks_double(x); };

/// An angle as quarter * pi/2 + rest + low.
template <class V>
struct NarrowAngle {
  V quarter;
  V rest;
  V low;
};

/// Up to this angle three floats are enough for pi/2, and the product of `quarter` and the first is
/// exact.
inline constexpr float moderate_narrow_angle = 32768;

template <class V>
constexpr NarrowAngle<V> reduced_moderate_in_float(V x) {
  V const n = round_even(x * V(0.636619772f));
  V const reduced = fma(n, V(-0x1.921fb6p0f), x);  // exact
  V const second = n * V(0x1.777a5cp-25f), rounded = fma(n, V(0x1.777a5cp-25f), -second);
  V const rest = reduced + second, back = rest - reduced;
  V const lost = (reduced - (rest - back)) + (second - back);
  return {n, rest, lost + fma(n, V(0x1.ee59dap-50f), rounded)};
}

/// Payne and Hanek's reduction, as for double; a float has fewer digits.
template <class V>
constexpr NarrowAngle<V> reduced_large_in_float(V x) {
  V const a = abs(x);
  auto const digits = bits(a);
  using B = std::remove_const_t<decltype(digits)>;
  auto const narrow = (digits & B(Layout<float>::fraction)) | B(std::uint32_t{1} << 23);
  auto const position = convert<std::uint64_t>(exponent(a));
  using Wide = std::remove_const_t<decltype(position)>;
  auto const turns = turns_of(convert<std::uint64_t>(narrow) << Wide(29), position + Wide(10));
  Wide const high = (turns.high << Wide(2)) | (turns.low >> Wide(62));
  auto const upper = (high >> Wide(63)) != Wide(0);  // beyond half a quarter: relative to the next
                                                     // one
  V const size = convert<float>(select(upper, Wide(0) - high, high)) * V(0x1.921fb6p-64f);
  Wide const quarter = (turns.high >> Wide(62)) + select(upper, Wide(1), Wide(0));
  V const n = convert<float>(quarter), rest = select(upper, -size, size);
  auto const below = x < V(0.0f);
  return {select(below, -n, n), select(below, -rest, rest), V(0.0f)};
}

template <class V>
constexpr NarrowAngle<V> reduced_angle_in_float(V x) {
  auto const angle = reduced_moderate_in_float(x);
  V const size = abs(x), zero = V(0.0f), infinity = V(Layout<float>::infinity);
  auto const large = (size > V(moderate_narrow_angle)) & (size < infinity);
  auto const quarter = [](auto lane) { return reduced_large_in_float(lane).quarter; };
  auto const rest = [](auto lane) { return reduced_large_in_float(lane).rest; };
  V const nowhere = select(size < infinity, angle.rest, V(Layout<float>::nan));
  return {rarely(large, x, quarter, angle.quarter), rarely(large, x, rest, nowhere),
          select(size > V(moderate_narrow_angle), zero, angle.low)};
}

/// (sin(r) / r - 1) / z and (cos(r) - 1 + z / 2) / z^2 with z = r^2: to z^3, which is 2^-28.
struct NarrowSine {
  static constexpr float sin[] = {-0.166666667f, 0.00833333333f, -0.000198412698f, 2.75573192e-06f};
  static constexpr float cos[] = {0.0416666667f, -0.00138888889f, 2.48015873e-05f,
                                  -2.75573192e-07f};
};

/// sin(angle + turn * pi/2).
template <class V>
constexpr V sine_in_float(NarrowAngle<V> const& angle, float turn) {
  V const r = angle.rest, z = r * r, half = z * V(0.5f), one = V(1.0f);
  V const sin = r + fma(r * z, polynomial(z, NarrowSine::sin), angle.low);
  V const top = one - half, tail = fma(z * z, polynomial(z, NarrowSine::cos), -(r * angle.low));
  V const cos = top + (((one - top) - half) + tail);
  V const turned = angle.quarter + V(turn), n = fma(V(-4.0f), floor(turned * V(0.25f)), turned);
  V const y = select((n == one) | (n == V(3.0f)), cos, sin);
  return select(n >= V(2.0f), -y, y);
}

}  // namespace tenon::op
