#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include <tenon/core/half.hpp>

using namespace tenon;

namespace {

/// The 16-bit value nearest to a float, ties to even, found by trying the neighbours.
template <class Half>
bool is_nearest(float x, Half rounded) {
  double const distance = std::fabs(static_cast<double>(rounded) - static_cast<double>(x));
  for (int step : {-1, 1}) {
    auto const bits = static_cast<std::uint16_t>(rounded.bits + step);
    double const other = static_cast<double>(Half::from_bits(bits));
    if (!std::isfinite(other) || std::signbit(other) != std::signbit(x)) continue;
    double const further = std::fabs(other - static_cast<double>(x));
    if (further < distance || (further == distance && (rounded.bits & 1) != 0)) return false;
  }
  return true;
}

/// The 16-bit value nearest to a number, ties to even, by definition.
template <class Half>
Half nearest(long double x) {
  int const digits = std::is_same_v<Half, float16> ? 11 : 8;
  int const least = std::is_same_v<Half, float16> ? -14 : -126;
  int const exponent = x == 0 ? least : std::max(std::ilogb(x), least);
  long double const unit = std::ldexp(1.0L, exponent - digits + 1);
  return Half(static_cast<float>(std::nearbyint(x / unit) * unit));  // exact
}

/// Numbers around the midpoints of 16-bit values: exact, and off by one part in 2^40.
template <class Half, class Check>
void for_numbers_about_middles(Check const& check) {
  for (std::uint32_t bits = 0; bits < 0x7fff; bits += 1) {
    auto const low = static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(bits)));
    auto const high = static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(bits + 1)));
    if (!std::isfinite(high)) continue;
    double const middle = low + (high - low) / 2, off = middle * 0x1p-40;
    for (double x : {middle, middle + off, middle - off, low + off, low - off, -middle - off})
      check(x);
  }
}

template <class Half>
void check_every_value() {
  int wrong = 0;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    auto const bits = static_cast<std::uint16_t>(i);
    auto const value = static_cast<float>(Half::from_bits(bits));
    bool const same = Half(value).bits == bits;
    wrong += std::isnan(value) ? !std::isnan(static_cast<float>(Half(value))) : !same;
  }
  CHECK(wrong == 0);
}

template <class Half>
void check_rounding(float largest) {
  int wrong = 0;
  for (std::uint64_t i = 0; i < (1ull << 32); i += 9973) {
    auto const x = std::bit_cast<float>(static_cast<std::uint32_t>(i));
    if (std::isfinite(x) && std::fabs(x) <= largest) wrong += !is_nearest(x, Half(x));
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every 16-bit value is converted to float and back unchanged") {
  check_every_value<float16>();
  check_every_value<bfloat16>();
}

TEST_CASE("floats round to the nearest 16-bit value, ties to even") {
  check_rounding<float16>(65504.f);
  check_rounding<bfloat16>(0x1.fep127f);
}

TEST_CASE("overflow gives infinity, NaN keeps its sign") {
  float const infinity = std::numeric_limits<float>::infinity();
  float const nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(float16(65520.f).bits == 0x7c00);
  CHECK(float16(-1e10f).bits == 0xfc00);
  CHECK(float16(infinity).bits == 0x7c00);
  CHECK(float16(nan).bits == 0x7e00);
  CHECK(float16(-nan).bits == 0xfe00);
  CHECK(bfloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
  CHECK(bfloat16(-infinity).bits == 0xff80);
  CHECK(bfloat16(nan).bits == 0x7fc0);
  CHECK(bfloat16(-nan).bits == 0xffc0);
}

TEST_CASE_TEMPLATE("doubles are rounded once", Half, float16, bfloat16) {
  int wrong = 0;
  for_numbers_about_middles<Half>([&](double x) {
    wrong += Half(x).bits != nearest<Half>(static_cast<long double>(x)).bits;
    wrong += Half(static_cast<long double>(x)).bits != Half(x).bits;
  });
  CHECK(wrong == 0);
  CHECK(Half(1 + 0x1p-9 + 0x1p-40).bits == nearest<Half>(1 + 0x1p-9L + 0x1p-40L).bits);
  CHECK(float16(65519.9999999).bits == 0x7bff);
  CHECK(float16(65520.0).bits == 0x7c00);
  CHECK(float16(0x1p-25 + 0x1p-70).bits == 1);
  CHECK(float16(-1e300).bits == 0xfc00);
  CHECK(bfloat16(1e300).bits == 0x7f80);
  CHECK(bfloat16(0x1.fep127 + 0x1.fp119).bits == 0x7f80);
  CHECK(bfloat16(0x1p-134 + 0x1p-180).bits == 1);
  CHECK(float16(std::numeric_limits<double>::quiet_NaN()).bits == 0x7e00);
  CHECK(Half(-0.0).bits == 0x8000);
}

TEST_CASE_TEMPLATE("integers are rounded once", T, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t) {
  int wrong = 0;
  auto const check = [&](T x) {
    auto const exact = static_cast<long double>(x);
    if (exact < 65520 && exact > -65520) wrong += float16(x).bits != nearest<float16>(exact).bits;
    wrong += bfloat16(x).bits != nearest<bfloat16>(exact).bits;
  };
  for (int place = 9; place < std::numeric_limits<T>::digits; ++place) {
    for (int low = 0; low < place - 8; ++low) {
      T const middle = static_cast<T>((T(1) << place) + (T(1) << (place - 8)));
      for (T x : {middle, T(middle + (T(1) << low)), T(middle - (T(1) << low))}) {
        check(x);
        check(static_cast<T>(T(0) - x));
      }
    }
  }
  check(std::numeric_limits<T>::max());
  check(std::numeric_limits<T>::lowest());
  CHECK(wrong == 0);
  CHECK(float16(T(100000)).bits == 0x7c00);
  CHECK(float16(T(2049)).bits == 0x6800);
}
