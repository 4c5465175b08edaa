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
