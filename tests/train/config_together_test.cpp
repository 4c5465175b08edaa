#include <doctest/doctest.h>

#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints.hpp>
#include <tenon/train/config.hpp>
#include <tenon/train/data.hpp>
#include <tenon/train/inspect.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/run.hpp>
#include <tenon/train/stop.hpp>

namespace config_together_test {

using namespace tenon;
using namespace tenon::training;

struct Config {
  int seed = 1;
};

TEST_CASE("all parts are used together, their names beside those of the library") {
  auto const config = parse_config<Config>({"--seed=3"});
  Key const key{static_cast<std::uint64_t>(config.seed)};
  auto const [train, held] = split_dataset(std::vector<int>{1, 2, 3, 4}, 0.75, key);
  CHECK(train.size() == 3);
  CHECK(held.size() == 1);
  auto const keys = split(key);
  CHECK(sum(ones<Float32<"n=3">>()).item() == 3);
  CHECK(statistics(uniform<Float32<"n=8">>(keys[0])).max < 1);
  StopRequest const stop;
  CHECK_FALSE(bool(stop));
}

}  // namespace config_together_test
