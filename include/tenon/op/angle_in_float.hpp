#pragma once

#include <tenon/op/angle.hpp>

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
