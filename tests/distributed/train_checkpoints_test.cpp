// The checkpoints of a run over ranks: what remains, what is found, and where a run continues.

#include <doctest/doctest.h>

#include <tenon/train/checkpoints_over_ranks.hpp>
#include <tenon/train/loop.hpp>

#include "checkpoint_trees.hpp"

namespace train_checkpoints_test {

using namespace checkpoint_trees;
namespace training = tenon::training;
using training::CheckpointManagerOverRanks;

namespace {

struct State {
  Float32<"n=3"> sum;
  std::int64_t step = 0;
};

auto const never = [] { return false; };

auto const add = [](State& state) { state.sum = state.sum + 1.0f; };

std::int64_t folders_in(std::filesystem::path const& folder) {
  std::int64_t count = 0;
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    count += entry.is_directory();
  return count;
}

}  // namespace

TEST_CASE("over ranks the newest checkpoints remain, and the best one") {
  World const world;
  Folder const folder(world);
  CheckpointManagerOverRanks checkpoints(folder / "run", world, {.keep = 2, .unit = "step"});
  CHECK_FALSE(checkpoints.latest());
  State state;
  CHECK_FALSE(checkpoints.load_latest(state));
  for (; state.step < 5; ++state.step) checkpoints.save(state, state.step, state.step == 1);
  barrier(world.group());
  CHECK(folders_in(folder / "run") == 3);
  CHECK(checkpoints.load("best", State{}).step == 1);
  CHECK(checkpoints.load("latest", State{}).step == 4);
  CHECK(checkpoints.load(checkpoints.latest()->string(), State{}).step == 4);
  CHECK(load_shards_metadata(*checkpoints.latest()).at("step") == "4");
  barrier(world.group());
}

TEST_CASE("over ranks a run that was stopped continues from its checkpoint") {
  World const world;
  Folder const folder(world);
  training::LoopOptions<State> const options{.counter = &State::step, .end = 9, .every = 3};
  {
    CheckpointManagerOverRanks checkpoints(folder, world, {.unit = "step"});
    State state;
    CHECK_FALSE(training::train_until(
        state, options, checkpoints, [&] { return state.step == 5; }, add));
  }
  barrier(world.group());
  CheckpointManagerOverRanks checkpoints(folder, world, {.unit = "step"});
  State state;
  CHECK(checkpoints.load_latest(state));
  CHECK(state.step == 5);
  CHECK(training::train_until(state, options, checkpoints, never, add));
  CHECK(state.sum(2) == 9);
  checkpoints.remove_after(6);
  barrier(world.group());
  CHECK(checkpoints.load("latest", State{}).step == 6);
}

TEST_CASE("over ranks one manager at a time saves in a folder") {
  World const world;
  Folder const folder(world);
  CheckpointManagerOverRanks first(folder, world), second(folder, world);
  first.save(State{}, 1);
  std::string const text = words_of<FileError>([&] { second.save(State{}, 2); });
  CHECK(
      text.starts_with("tenon::CheckpointManagerOverRanks: expected a folder in which nothing "
                       "else saves"));
  CHECK_THROWS_AS(CheckpointManagerOverRanks(folder, world, {.keep = 0}), ValueError);
  CHECK(second.load("latest", State{}).step == 0);
  barrier(world.group());
}

}  // namespace train_checkpoints_test
