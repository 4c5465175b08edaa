// Tensors of more than 2^31 elements on the CUDA device. Built by scripts/gpu.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include "../backend/shim/cuda_device.hpp"

using namespace tenon;

namespace {

constexpr std::int64_t past_32_bits = (std::int64_t{1} << 31) + 4099;

/// The stand-in has a gigabyte: the same claims are tested with few elements.
std::int64_t length() { return shim::cuda_device() == shim::Device::real ? past_32_bits : 4099; }

using Bytes = UInt8<"n", Cuda>;

}  // namespace

TEST_CASE("the last of more than 2^31 elements are computed, and all are summed") {
  REQUIRE(shim::cuda_device() != shim::Device::none);
  std::int64_t const n = length();
  auto const ones_there = ones<Bytes>(n);
  Bytes const threes = ones_there + ones_there + ones_there;
  auto const ends = to<Cpu>(eval(slice<"n">(threes, n - 3, n)));
  for (std::int64_t i = 0; i < ends.size(); ++i) CHECK(int(ends.data()[i]) == 3);
  CHECK(sum(to<std::int64_t>(threes)).item() == 3 * n);
}

TEST_CASE("an index beyond 2^31 is exact") {
  REQUIRE(shim::cuda_device() != shim::Device::none);
  std::int64_t const n = length();
  auto const odd = eval(to<std::uint8_t>(iota<Int64<"n", Cuda>>(n) % 251));
  auto const ends = to<Cpu>(eval(slice<"n">(odd, n - 300, n)));
  for (std::int64_t i = 0; i < ends.size(); ++i) {
    INFO("at " << n - 300 + i);
    CHECK(int(ends.data()[i]) == int((n - 300 + i) % 251));
  }
}
