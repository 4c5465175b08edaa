// The batches of a loader that is divided over ranks, together those of one rank; requests to stop.

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include <tenon/distributed/communication/world.hpp>
#include <tenon/train/data.hpp>
#include <tenon/train/stop_over_ranks.hpp>

#include "ranks.hpp"

namespace train_data_test {

using namespace tenon;
using training::data_loader;
using training::DataLoaderOptions;

namespace {

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

/// How often each of `count` numbers is in the batches `batch` of all ranks.
std::vector<std::int64_t> counted(Int64<"batch"> const& batch, std::int64_t count,
                                  Group const& group) {
  std::vector<std::int64_t> times(static_cast<std::size_t>(count), 0);
  for (std::int64_t i = 0; i < batch.size(); ++i) ++times[static_cast<std::size_t>(batch(i))];
  tenon::internal::mpi::all_reduce<op::sum>(times.data(), count, group);
  return times;
}

/// Two epochs of a loader over the ranks have the batches of a loader of one rank.
void check_divided(std::int64_t count, DataLoaderOptions options, World const& world) {
  auto alone = data_loader<"batch">(numbers(count), options);
  options.rank = world.rank();
  options.ranks = world.size();
  auto divided = data_loader<"batch">(numbers(count), options);
  Group const own;
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::vector<Int64<"batch">> expected;
    for (auto const& batch : alone) expected.push_back(batch);
    std::size_t at = 0;
    for (auto const& batch : divided) {
      REQUIRE(at < expected.size());
      CHECK(counted(batch, count, world.group()) == counted(expected[at++], count, own));
    }
    CHECK(at == expected.size());
  }
}

}  // namespace

TEST_CASE("the batches of all ranks are those of one, each element once") {
  World const world;
  for (std::int64_t const count : {0, 1, 23, 48})
    for (std::int64_t const prefetch : {0, 3})
      for (bool const shuffle : {false, true})
        check_divided(count,
                      {.batch_size = 6,
                       .shuffle = shuffle,
                       .key = Key{count == 23 ? 1u : 2u},
                       .prefetch = prefetch},
                      world);
}

TEST_CASE("a loader over ranks continues in the middle of an epoch from its state") {
  World const world;
  DataLoaderOptions const options{.batch_size = 5,
                                  .shuffle = true,
                                  .key = Key{3},
                                  .prefetch = 2,
                                  .rank = world.rank(),
                                  .ranks = world.size()};
  auto whole = data_loader<"batch">(numbers(31), options);
  training::DataState state;
  std::vector<std::vector<std::int64_t>> rest;
  for (auto const& batch : whole) {
    if (whole.state().batch > 3) rest.push_back(to_vector(batch));
    else state = whole.state();
  }
  auto again = data_loader<"batch">(numbers(31), options);
  again.restore(state);
  std::vector<std::vector<std::int64_t>> continued;
  for (auto const& batch : again) continued.push_back(to_vector(batch));
  CHECK(rest.size() == 4);  // of 7 batches
  CHECK(continued == rest);
}

TEST_CASE("all ranks stop where one is asked to") {
  World const world;
  training::StopRequest const stop;
  CHECK_FALSE(training::on_any_rank(bool(stop), world.group()));
  for (int asked = 0; asked < world.size(); ++asked)
    CHECK(training::on_any_rank(world.rank() == asked, world.group()));
}

}  // namespace train_data_test
