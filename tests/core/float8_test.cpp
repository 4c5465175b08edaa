#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/core/float8.hpp>

#include "float8_table.hpp"

namespace float8_test {

using namespace tenon;

namespace {

template <class T>
std::array<std::uint32_t, 256> values() {
  std::array<std::uint32_t, 256> result{};
  for (unsigned i = 0; i < 256; ++i)
    result[i] = std::bit_cast<std::uint32_t>(
        static_cast<float>(T::from_bits(static_cast<std::uint8_t>(i))));
  return result;
}

/// FNV-1a of the conversions of every 4099th float, by its bits.
template <class T>
std::uint64_t checksum() {
  std::uint64_t total = 0xcbf29ce484222325u;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 4099)
    total =
        (total ^ T(std::bit_cast<float>(static_cast<std::uint32_t>(bits))).bits) * 0x100000001b3u;
  return total;
}

template <class T>
bool keeps_its_numbers() {
  for (unsigned i = 0; i < 256; ++i) {
    auto const number = static_cast<float>(T::from_bits(static_cast<std::uint8_t>(i)));
    if (number == number && T(number).bits != i) return false;
  }
  return true;
}

}  // namespace

static_assert(float8_e4m3fn(448.0f).bits == 0x7e && float8_e4m3fn(464.0f).bits == 0x7e);
static_assert(float8_e4m3fn(465.0f).bits == 0x7f && float8_e4m3fn(-1e30f).bits == 0xff);
static_assert(float8_e5m2(57344.0f).bits == 0x7b && float8_e5m2(61439.0f).bits == 0x7b);
static_assert(float8_e5m2(61440.0f).bits == 0x7c && float8_e5m2(-1e30f).bits == 0xfc);
static_assert(static_cast<float>(float8_e4m3fn(0.3)) == 0.3125f);
static_assert(static_cast<float>(float8_e5m2(0.3)) == 0.3125f);
static_assert(float8_e4m3fn(-0.0f).bits == 0x80 && float8_e5m2(-0.0f).bits == 0x80);
static_assert(static_cast<int>(float8_e4m3fn(17)) == 16 && float8_e4m3fn(16) == float8_e4m3fn(17));

TEST_CASE("8-bit numbers are the floats of ml_dtypes") {
  CHECK(values<float8_e4m3fn>() == float8_table::values_of_float8_e4m3fn);
  CHECK(values<float8_e5m2>() == float8_table::values_of_float8_e5m2);
}

TEST_CASE("floats become 8-bit numbers as in ml_dtypes") {
  CHECK(checksum<float8_e4m3fn>() == float8_table::checksum_of_float8_e4m3fn);
  CHECK(checksum<float8_e5m2>() == float8_table::checksum_of_float8_e5m2);
}

TEST_CASE("an 8-bit number that becomes a float and back is the same") {
  CHECK(keeps_its_numbers<float8_e4m3fn>());
  CHECK(keeps_its_numbers<float8_e5m2>());
}

TEST_CASE("not a number, and no infinity in float8_e4m3fn") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  float const infinity = std::numeric_limits<float>::infinity();
  CHECK(float8_e4m3fn(nan).bits == 0x7f);
  CHECK(float8_e4m3fn(-nan).bits == 0xff);
  CHECK(float8_e4m3fn(infinity).bits == 0x7f);
  CHECK(float8_e5m2(nan).bits == 0x7e);
  CHECK(float8_e5m2(infinity).bits == 0x7c);
  CHECK(std::isinf(static_cast<float>(float8_e5m2(-infinity))));
  CHECK(!(float8_e5m2(nan) == float8_e5m2(nan)));
}

TEST_CASE("doubles and integers are rounded once") {
  double const above_tie = 1.0625 + 0x1p-40;  // the tie of 1 and 1.125, as a float
  CHECK(static_cast<float>(float8_e4m3fn(above_tie)) == 1.125f);
  CHECK(static_cast<float>(float8_e4m3fn(1.0625)) == 1.0f);
  CHECK(static_cast<float>(float8_e5m2(std::int64_t{9})) == 8.0f);
  CHECK(static_cast<float>(float8_e5m2(std::int64_t{11})) == 12.0f);
}

}  // namespace float8_test
