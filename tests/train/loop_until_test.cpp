// A run with checkpoints: when they are saved, what ends it, and where it continues.

#include <doctest/doctest.h>

#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/checkpoints/checkpoint_files.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/stop.hpp>

#include "../io/folder.hpp"

namespace loop_until_test {

using namespace tenon;
using training::CheckpointManager;
using training::train_until;

namespace {

struct State {
  Float32<""> sum;
  training::EarlyStoppingState early{};
  std::int64_t step = 0;
};

auto const never = [] { return false; };

auto const add = [](State& state) { state.sum = state.sum + static_cast<float>(state.step); };

std::vector<std::int64_t> numbers_in(Folder const& folder) {
  return tenon::internal::training::checkpoint_numbers(folder / "", "step");
}

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("checkpoints are saved at the start, every few units, and at the end") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.keep = training::keep_all, .unit = "step"});
  State state;
  CHECK(
      train_until(state, {.counter = &State::step, .end = 8, .every = 3}, checkpoints, never, add));
  CHECK(state.sum.item() == 28);
  CHECK(numbers_in(folder) == Numbers{0, 3, 6, 8});
  CHECK_FALSE(checkpoints.best());
}

TEST_CASE("a run that was stopped has a checkpoint, and continues from there") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.unit = "step"});
  State state;
  auto const stop = [&] { return state.step == 4; };
  training::LoopOptions<State> const options{.counter = &State::step, .end = 8, .every = 3};
  CHECK_FALSE(train_until(state, options, checkpoints, stop, add));
  CHECK(numbers_in(folder) == Numbers{0, 3, 4});
  State next;
  CHECK(checkpoints.load_latest(next));
  CHECK(next.step == 4);
  CHECK(train_until(next, options, checkpoints, never, add));
  CHECK(next.sum.item() == 28);
}

TEST_CASE("a request before the first unit stops the run there") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.unit = "step"});
  State state;
  CHECK_FALSE(train_until(
      state, {.counter = &State::step, .end = 8}, checkpoints, [] { return true; }, add));
  CHECK(numbers_in(folder) == Numbers{0});
}

TEST_CASE("a signal stops a run") {
  auto* const before = std::signal(SIGINT, [](int) {});
  {
    Folder const folder;
    CheckpointManager checkpoints(folder / "", {.unit = "step"});
    State state;
    training::StopRequest const stop;
    CHECK_FALSE(train_until(state, {.counter = &State::step, .end = 8}, checkpoints, stop,
                            [](State const& s) {
                              if (s.step == 5) std::raise(SIGINT);
                            }));
    CHECK(state.step == 6);
    CHECK(numbers_in(folder).back() == 6);
  }
  std::signal(SIGINT, before);
}

TEST_CASE("what a unit throws is thrown, and checkpoints remain") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.unit = "step"});
  State state;
  CHECK_THROWS_WITH(
      train_until(state, {.counter = &State::step, .end = 8, .every = 2}, checkpoints, never,
                  [](State const& s) {
                    if (s.step == 5) throw std::runtime_error("no more data");
                  }),
      "no more data");
  CHECK(numbers_in(folder) == Numbers{0, 2, 4});
}

TEST_CASE("the best state is saved when it is one") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.keep = training::keep_all, .unit = "step"});
  State state;
  train_until(state, {.counter = &State::step, .end = 9, .every = 4}, checkpoints, never,
              [](State const& s) { return s.step == 2; });
  CHECK(numbers_in(folder) == Numbers{0, 3, 4, 8, 9});
  CHECK(load_metadata(*checkpoints.best()).at("step") == "3");
}

TEST_CASE("a run that early stopping ended is over, also when it is resumed") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.unit = "step"});
  training::EarlyStopping const stopping{.patience = 3};
  training::LoopOptions<State> const options{
      .counter = &State::step, .end = 100, .is_over = [&](State const& s) {
        return stopping.should_stop(s.early);
      }};
  auto const unit = [&](State& s) {
    return stopping.update(s.early, s.step < 5 ? 9.0 - static_cast<double>(s.step) : 9.0);
  };
  State state;
  CHECK(train_until(state, options, checkpoints, never, unit));
  CHECK(state.step == 8);
  CHECK(load_metadata(*checkpoints.best()).at("step") == "5");
  State next;
  checkpoints.load_latest(next);
  CHECK(train_until(next, options, checkpoints, never, unit));
  CHECK(next.step == 8);
}

TEST_CASE("a run from an earlier checkpoint removes the later ones") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.keep = training::keep_all, .unit = "step"});
  State state;
  train_until(state, {.counter = &State::step, .end = 6, .every = 2}, checkpoints, never, add);
  auto earlier = checkpoints.load("checkpoint_step_002.safetensors", State{});
  train_until(earlier, {.counter = &State::step, .end = 3, .every = 2}, checkpoints, never, add);
  CHECK(numbers_in(folder) == Numbers{0, 2, 3});
}

TEST_CASE("a distance of checkpoints below 1 is refused") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.unit = "step"});
  State state;
  CHECK(words_of<ValueError>([&] {
          train_until(state, {.counter = &State::step, .end = 6, .every = 0}, checkpoints, never,
                      add);
        }) == "tenon::train_until: 'every': expected at least 1, got 0");
}

}  // namespace loop_until_test
