#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include <tenon/core/call.hpp>
#include <tenon/core/error.hpp>

#include <tenon/train/checkpoints.hpp>

namespace tenon::training {

/// The units of a run, epochs or steps: the member of the state that counts them, how many there
/// are, and how many there are between two checkpoints.
template <class State>
struct LoopOptions {
  std::int64_t State::*counter;
  std::int64_t end;
  std::int64_t every = 1;

  /// Ends the run earlier, `EarlyStopping` for example. It is a function of the state, so that a
  /// resumed run has ended too.
  std::function<bool(State const&)> is_over{};
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::LoopOptions;

/// A `StopRequest`, or a function without arguments.
template <class Stop>
bool is_requested(Stop const& stop) {
  if constexpr (CallableWith<Stop const&>) return stop();
  else return static_cast<bool>(stop);
}

template <class State>
bool is_over(State const& state, LoopOptions<State> const& options) {
  return state.*options.counter >= options.end || (options.is_over && options.is_over(state));
}

/// One unit; true if its state is the best so far.
template <class State, class Unit>
bool run_unit(State& state, Unit& unit) {
  if constexpr (std::is_void_v<CallResult<Unit&, State&>>) {
    unit(state);
    return false;
  } else {
    return static_cast<bool>(unit(state));
  }
}

/// Trains from a state, new or loaded, to the end: `unit(state)` is an epoch or a step, after which
/// the counter is increased; where it returns true, the state is the best so far. A checkpoint is
/// saved every `every` units, of the best, at the end, and where `stop` is true, which is tested
/// between units. Before the first unit, checkpoints of larger numbers are removed, and the
/// state is saved if it has no checkpoint. True if the run is over, false if it was stopped; then
/// it continues from `checkpoints.load_latest(state)`. What a unit throws is thrown; the
/// checkpoints remain. (Over ranks: `CheckpointManagerOverRanks`, and a function that all ranks
/// call for `stop`.)
template <class State, class Checkpoints, class Stop, class Unit>
bool train_until(State& state, LoopOptions<std::type_identity_t<State>> const& options,
                 Checkpoints& checkpoints, Stop const& stop, Unit&& unit) {
  if (options.every < 1) {
    fail<ValueError>({.who = "train_until",
                      .what = "every",
                      .expected = "at least 1",
                      .got = std::to_string(options.every)});
  }
  std::int64_t& counter = state.*options.counter;
  checkpoints.remove_after(counter);
  if (!checkpoints.latest()) checkpoints.save(state, counter);
  bool stopped = is_requested(stop);
  while (!stopped && !is_over(state, options)) {
    bool const is_best = run_unit(state, unit);
    ++counter;
    stopped = is_requested(stop);
    bool const is_due = counter % options.every == 0 || stopped || is_over(state, options);
    if (is_best || is_due) checkpoints.save(state, counter, is_best);
  }
  return is_over(state, options);
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::train_until;

}  // namespace tenon::training
