#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include <tenon/core/half.hpp>

using namespace tenon;

namespace {

/// The 16-bit value that is nearest to a float, the even one of two: by trying the neighbours.
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

TEST_CASE("every 16-bit value survives the way through float") {
  check_every_value<float16>();
  check_every_value<bfloat16>();
}

TEST_CASE("floats round to the nearest 16-bit value, ties to even") {
  check_rounding<float16>(65504.f);
  check_rounding<bfloat16>(0x1.fep127f);
}

TEST_CASE("what is too large becomes infinity, NaN stays NaN of its sign") {
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
