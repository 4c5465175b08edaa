#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/op/list.hpp>

#ifndef TENON_SAMPLE_STEP
#define TENON_SAMPLE_STEP 32768
#endif

/// The errors of ops relative to references, over samples of all numbers.
namespace accuracy {

using namespace tenon::internal;

using tenon::internal::lane_count;
using tenon::internal::Lanes;

/// The type of references, with many more bits than the dtype.
template <class T>
using Exact = std::conditional_t<sizeof(T) == 4, double, long double>;

/// The distance of the sampled blocks of consecutive floats, over all bit patterns.
inline constexpr std::uint64_t sampled_floats = (std::uint64_t{1} << 32) / TENON_SAMPLE_STEP;
inline constexpr std::uint64_t block = 1 << 14;
inline std::vector<float> sample_of_floats(std::uint64_t first) {
  std::vector<float> all(block);
  for (std::uint64_t i = 0; i < block; ++i) {
    std::uint64_t const number = first + i, step = TENON_SAMPLE_STEP;
    all[i] = std::bit_cast<float>(static_cast<std::uint32_t>(number * step + number * 37 % step));
  }
  return all;
}

/// Random numbers of all exponents, and from the ranges in which ops do not saturate.
inline std::vector<double> sample_of_doubles() {
  std::mt19937_64 random(1);
  std::vector<double> all;
  for (int i = 0; i < 20480000 / TENON_SAMPLE_STEP; ++i)
    all.push_back(std::bit_cast<double>(random()));
  for (double reach : {1.0, 6.0, 40.0, 750.0, 1e6})
    for (int i = 0; i < 7680000 / TENON_SAMPLE_STEP; ++i)
      all.push_back(reach * (static_cast<double>(random() >> 11) * 0x1p-52 - 1));
  return all;
}

/// Special arguments, with their neighbours on both sides: limits of the dtype, thresholds of the
/// bodies and of overflow, multiples of a quarter turn, NaN with several payloads.
template <class T>
std::vector<T> borders() {
  using L = std::numeric_limits<T>;
  std::vector<double> points{0,        L::denorm_min(),
                             L::min(), L::epsilon(),
                             0.25,     0.5,
                             0.625,    1,
                             1.25,     1.41421356237309505,
                             2,        5.5,
                             9.2,      14.3,
                             15.5,     22,
                             39,       40,
                             44,       88.72283,
                             87.3365,  103.2789,
                             103.9721, 104.5,
                             708.3964, 709.7827,
                             745.133,  746,
                             1e6,      1e22,
                             1e30,     L::max()};
  for (int i = 1; i < 1500; ++i) points.push_back(i * 0.78539816339744830962);
  std::vector<T> all{L::infinity(), L::quiet_NaN(), L::signaling_NaN()};
  for (double point : points) {
    T below = static_cast<T>(point), above = below;
    for (int i = 0; i < 4; ++i) {
      all.insert(all.end(), {below, above});
      below = std::nextafter(below, -L::infinity());
      above = std::nextafter(above, L::infinity());
    }
  }
  for (std::size_t i = 0, size = all.size(); i < size; ++i) all.push_back(-all[i]);
  return all;
}

/// The unit in the last place of T for a number of this magnitude.
template <class T>
Exact<T> unit_at(Exact<T> exact) {
  using L = std::numeric_limits<T>;
  int exponent = L::min_exponent;
  if constexpr (sizeof(T) == 4) {  // from the bits, as this is called often
    exponent =
        std::max(exponent, static_cast<int>(std::bit_cast<std::uint64_t>(exact) >> 52) - 1022);
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent - L::digits + 1023) << 52);
  } else {
    if (exact != 0) exponent = std::max(exponent, std::ilogb(exact) + 1);
    return std::ldexp(Exact<T>(1), exponent - L::digits);
  }
}

/// The distance in units in the last place from the exact result; anything up to one half counts as
/// one half. NaN and the sign of zero must match. Infinity is one unit above the largest number.
/// Units are of the size of the terms of the result, where it is given and these are larger.
template <class T>
inline double distance(T got, Exact<T> exact, Exact<T> terms = 0) {
  using L = std::numeric_limits<T>;
  T const rounded = static_cast<T>(exact);
  if (got == rounded && got != 0) return static_cast<Exact<T>>(got) == exact ? 0 : 0.5;
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0 : 1e9;
  if (std::signbit(got) != std::signbit(exact) && (got == 0 || rounded == 0)) return 1e9;
  Exact<T> const beyond = std::ldexp(Exact<T>(1), L::max_exponent);
  Exact<T> const from = std::fmin(std::fabs(static_cast<Exact<T>>(got)), beyond);
  Exact<T> const to = std::fmin(std::fabs(exact), beyond);
  if (terms > to) return static_cast<double>(std::fabs(got - exact) / unit_at<T>(terms));
  if (std::signbit(got) != std::signbit(exact)) return 1e9;
  return static_cast<double>(std::fabs(from - to) / unit_at<T>(std::fmin(to, L::max())));
}

/// The largest error of an op.
struct Worst {
  double units = 0;
  double at = 0;
  bool same_in_every_lane = true;

  void take(double other, double where) {
    if (!(other > units)) return;
    units = other;
    at = where;
  }
};

template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Applies the op to a number of arguments from `begin` on, in lanes.
template <class Op, class T>
void apply(T const* begin, int count, T* to) {
  if (count == lane_count) Op::f(Lanes<T>::load(begin)).store(to);
  else Op::f(Lanes<T>::load(begin, count)).store(to, count);
}

/// Checks all results; every number is computed in two lanes, in full registers and in a tail.
template <class Op, class T>
std::vector<T> results(std::vector<T> const& x, Worst& worst) {
  int const size = static_cast<int>(x.size());
  std::vector<T> y(x.size()), again(x.size());
  for (int i = 0; i < size; i += lane_count)
    apply<Op>(x.data() + i, std::min(lane_count, size - i), y.data() + i);
  for (int i = 0, count = 1; i < size; i += count, count = count % lane_count + 1)
    apply<Op>(x.data() + i, std::min(count, size - i), again.data() + i);
  if (std::memcmp(y.data(), again.data(), x.size() * sizeof(T)) == 0) return y;
  for (std::size_t i = 0; i < x.size(); ++i)  // NaN may have other bits
    worst.same_in_every_lane = worst.same_in_every_lane && same(y[i], again[i]);
  return y;
}

template <class Op, class T>
void look(Worst& worst, std::vector<T> const& x) {
  std::vector<T> const y = results<Op>(x, worst);
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto const at = static_cast<Exact<T>>(x[i]);
    auto const exact = static_cast<Exact<T>>(Op::reference(at));
    Exact<T> terms = 0;
    if constexpr (requires { Op::terms(at); }) terms = static_cast<Exact<T>>(Op::terms(at));
    worst.take(distance(y[i], exact, terms), static_cast<double>(x[i]));
  }
}

/// Checks every number in every lane, in a full register and with another number of lanes in use,
/// which differs between a number and its neighbours.
template <class Op, class T>
void look_in_every_lane(Worst& worst, std::vector<T> const& x) {
  std::array<T, lane_count> from{}, to{};
  int tail = 0;
  for (T value : x) {
    from.fill(value);
    T const expected = Op::f(Lanes<T>(value)).lane(0);
    tail = tail % (lane_count - 1) + 1;
    for (int const count : {lane_count, tail}) {
      apply<Op>(from.data(), count, to.data());
      for (int i = 0; i < count; ++i)
        worst.same_in_every_lane =
            worst.same_in_every_lane && same(to[static_cast<std::size_t>(i)], expected);
    }
  }
}

}  // namespace accuracy
