#pragma once

#include <concepts>

#include <tenon/backend/cpu/simd/lanes_half.hpp>
#include <tenon/backend/cpu/simd/lanes_integers.hpp>
#include <tenon/backend/cpu/simd/lanes_narrow.hpp>
#include <tenon/backend/cpu/simd/lanes_wide.hpp>
#include <tenon/op/odd.hpp>

/// The intrinsic `convert` for lanes: the same values as for scalars.
namespace tenon::internal {

namespace simd {

/// Between any two dtypes, lane by lane, with the scalar intrinsic.
template <class To, class From>
Lanes<To> converted_by_lane(Lanes<From> x) {
  From from[lane_count];
  To to[lane_count];
  x.store(from);
  for (int i = 0; i < lane_count; ++i) to[i] = intrinsics::convert<To>(from[i]);
  return Lanes<To>::load(to);
}

/// Rounds towards zero; the instruction gives the smallest integer for values out of range.
inline Lanes<std::int32_t> truncated(Lanes<float> x) {
  Lanes<std::int32_t> r;
  r.part[0] = simd::to_int(x.part[0]);
  Lanes<std::int32_t> const limited =
      select(x >= Lanes<float>(2147483648.0f), Lanes<std::int32_t>(INT32_MAX), r);
  return select(x == x, limited, Lanes<std::int32_t>(0));
}

/// Rounds once: both halves are exact, and so is the shifted upper one.
inline Lanes<float> floating(Lanes<std::uint32_t> x) {
  auto const half = [](Batch<std::uint32_t> h) { return simd::to_float(bits_as<std::int32_t>(h)); };
  Lanes<float> high, low;
  high.part[0] = half(x.part[0] >> 16);
  low.part[0] = half(x.part[0] & Batch<std::uint32_t>(0xffffu));
  return high * Lanes<float>(65536.0f) + low;
}

}  // namespace simd

/// 16-bit dtypes are converted to `float` first, which is exact.
template <class To, HalfType From>
Lanes<To> convert(Lanes<From> x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else {
    Lanes<float> wide;
    wide.part[0] = simd::HalfWords<From>::widened(x.words);
    return convert<To>(wide);
  }
}

/// Doubles are rounded to 16-bit numbers once.
template <HalfType To, std::same_as<double> From>
Lanes<To> convert(Lanes<From> x) {
  return convert<To>(intrinsics::doubles_to_odd(x));
}

template <class To, class From>
Lanes<To> convert(Lanes<From> x) {
  Lanes<To> r;
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_same_v<To, bool>) return x != Lanes<From>(From(0));
  else if constexpr (std::is_same_v<From, bool>)
    return select(x, Lanes<To>(To(1)), Lanes<To>(To(0)));
  else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, std::int32_t>)
    return simd::truncated(x);
  else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, float>)
    return simd::floating(x);
  else if constexpr (std::is_same_v<From, std::int32_t> && std::is_same_v<To, float>)
    r.part[0] = simd::to_float(x.part[0]);
  else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double>)
    simd::Native::widened(x.part[0], r.part);
  else if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>)
    r.part[0] = simd::Native::narrowed(x.part[0], x.part[1]);
  else if constexpr (HalfType<To> && std::is_same_v<From, float>)
    r.words = simd::HalfWords<To>::rounded(x.part[0]);
  else return simd::converted_by_lane<To>(x);
  return r;
}

template <IntegerType To, simd::Integer32 From>
  requires(sizeof(To) == 8)
TENON_INLINE inline Lanes<To> convert(Lanes<From> x) {
  simd::Batch<simd::As64<From>> wide[2];
  simd::widened(x.part[0], wide);
  Lanes<To> r;
  for (int p = 0; p < 2; ++p) r.part[p] = simd::bits_as<To>(wide[p]);
  return r;
}
template <simd::Integer32 To, simd::Integer32 From>
  requires(!std::same_as<To, From>)
Lanes<To> convert(Lanes<From> x) {
  Lanes<To> r;
  r.part[0] = simd::bits_as<To>(x.part[0]);
  return r;
}

/// Small integers are converted to `int32` first, and to `float` before other floating dtypes: both
/// are exact.
template <class To, simd::SmallInteger From>
  requires(simd::Wide<To> || HalfType<To>)
TENON_INLINE inline Lanes<To> convert(Lanes<From> x) {
  Lanes<std::int32_t> wide;
  wide.part[0] = simd::widened(x.element);
  if constexpr (IntegerType<To> || std::is_same_v<To, float>) return convert<To>(wide);
  else return convert<To>(convert<float>(wide));
}

}  // namespace tenon::internal
