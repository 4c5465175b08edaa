#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <cstring>

namespace threads_test {

using namespace tenon;

namespace {

TEST_CASE("draws have the same bits for any number of threads") {
  constexpr int many = 100003;
  int const before = threads();
  set_threads(1);
  auto const bits = random_bits<UInt32<"n">>(Key{1}, many);
  auto const numbers = normal<Float64<"n">>(Key{1}, many);
  for (int count : {2, 3}) {
    set_threads(count);
    auto const same_bits = random_bits<UInt32<"n">>(Key{1}, many);
    auto const same_numbers = normal<Float64<"n">>(Key{1}, many);
    CHECK(std::memcmp(bits.data(), same_bits.data(), many * sizeof(std::uint32_t)) == 0);
    CHECK(std::memcmp(numbers.data(), same_numbers.data(), many * sizeof(double)) == 0);
  }
  set_threads(before);
}

}  // namespace

}  // namespace threads_test
