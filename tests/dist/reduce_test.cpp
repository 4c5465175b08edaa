#include <tenon/dist/all_reduce.hpp>
#include <tenon/dist/world.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

using namespace tenon;

TEST_CASE("a sum over ranks is the sum of what they have") {
  World const world;
  Float64<"3"> x{1.0, 2.0, 3.0};
  Float64<"3"> const mine = x * double(world.rank() + 1);
  Float64<"3"> const y = all_reduce(mine * 1.0, world.group());
  double const n = world.size();
  CHECK(y(2) == 3.0 * n * (n + 1) / 2);
}
