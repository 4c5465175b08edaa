#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/communication/world.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  World world;
  auto const sum_over_ranks = all_reduce(ones<Float64<"d=2">>(), world.group());
  return sum_over_ranks(1) == world.size() ? 0 : 1;
}
