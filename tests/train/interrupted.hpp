#pragma once

// A run with checkpoints, and what interrupts it in a program of its own.

#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>
#include <tenon/train/stop.hpp>

namespace interrupted {

using namespace tenon;

// ---- The run: 40 steps of a model with two layers, a checkpoint every 4
// --------------------------

struct Model {
  Linear<"in=6", "hidden=16"> up;
  Linear<"hidden=16", "digit=4"> down;

  auto operator()(Float<"batch in=6"> auto const& x) const { return down(tanh(up(x))); }
};

struct Batch {
  Float32<"batch in=6"> x;
  Int32<"batch"> label;
};

struct State {
  Model model;
  AdamWState<Model> optimizer;
  Key key;
  training::EarlyStoppingState early{};
  double loss = 0;
  std::int64_t step = 0;
};

inline constexpr std::int64_t steps = 40;

inline State new_state() {
  auto const [start, data] = split(Key{11});
  auto model = init::normal<Model>(start, 0.3f);
  auto optimizer = AdamW{}.init(model);
  return {.model = std::move(model), .optimizer = std::move(optimizer), .key = data};
}

/// The batch of a step, a function of the state alone.
inline Batch batch_of(State const& state) {
  auto const key = fold_in(state.key, state.step);
  Batch batch{normal<Float32<"batch in=6">>(key, 12), {}};
  batch.label = argmax<"in">(batch.x) % 4;
  return batch;
}

/// One step; true if its loss is the least so far.
inline bool learn(State& state) {
  auto const loss = [](Model const& m, Batch const& batch) {
    return cross_entropy<"digit">(m(batch.x), batch.label);
  };
  auto const rate = WarmupCosine{.peak = 0.02, .warmup = 5, .steps = steps}(state.step);
  auto const result = training::train_step(state.model, batch_of(state), loss, AdamW{},
                                           state.optimizer, {.accumulate = 2, .rate = rate});
  state.loss = result.loss;
  return training::EarlyStopping{}.update(state.early, result.loss);
}

// ---- Interruptions ------------------------------------------------------------------------------

enum class Kind {
  none,
  interrupt,
  terminate,
  interrupt_twice,
  exception,
  kill,
  disk,
  kill_in_save
};

/// What happens to a child: its kind, and the step in which it begins.
struct Interruption {
  Kind kind = Kind::none;
  std::int64_t step = 0;
};

inline constexpr rlim_t disk_bytes = 3000;  // less than a checkpoint has

/// From now on no file can be larger: as on a full disk, or with a signal in the middle of a save.
inline void limit_files(void (*handler)(int)) {
  std::signal(SIGXFSZ, handler);
  rlimit const limit{disk_bytes, disk_bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

inline void interrupt(Kind kind) {
  if (kind == Kind::interrupt || kind == Kind::interrupt_twice) std::raise(SIGINT);
  if (kind == Kind::interrupt_twice) std::raise(SIGINT);
  if (kind == Kind::terminate) std::raise(SIGTERM);
  if (kind == Kind::exception) throw std::runtime_error("a row that cannot be read");
  if (kind == Kind::kill) std::raise(SIGKILL);
  if (kind == Kind::disk) limit_files(SIG_IGN);
  if (kind == Kind::kill_in_save) limit_files([](int) { std::raise(SIGKILL); });
}

enum Exit { finished = 40, stopped = 41, failed = 42 };

/// The program of a child. A step of -1 is before the first checkpoint.
inline int run(std::filesystem::path const& folder, Interruption const& interruption) try {
  training::CheckpointManager checkpoints(folder, {.keep = 2, .unit = "step"});
  State state = new_state();
  checkpoints.load_latest(state);
  training::StopRequest const stop;
  if (interruption.step < 0) interrupt(interruption.kind);
  bool const is_over =
      training::train_until(state, {.counter = &State::step, .end = steps, .every = 4}, checkpoints,
                            stop, [&](State& now) {
                              if (now.step == interruption.step) interrupt(interruption.kind);
                              return learn(now);
                            });
  return is_over ? finished : stopped;
} catch (std::exception const&) {
  return failed;
}

}  // namespace interrupted
