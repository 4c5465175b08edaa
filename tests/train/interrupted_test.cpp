// A run that is interrupted, by a signal, an exception, a full disk or kill -9, and resumed, ends
// in the same bits as one that is not. The test program runs itself as the child that is
// interrupted.

#include <doctest/doctest.h>

#if defined(__linux__)

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>
#include <tenon/train/stop.hpp>

#include "../io/folder.hpp"

namespace interrupted_test {

using namespace tenon;

namespace {

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

constexpr std::int64_t steps = 40;

State new_state() {
  auto const [start, data] = split(Key{11});
  auto model = init::normal<Model>(start, 0.3f);
  auto optimizer = AdamW{}.init(model);
  return {.model = std::move(model), .optimizer = std::move(optimizer), .key = data};
}

/// The batch of a step, a function of the state alone.
Batch batch_of(State const& state) {
  auto const key = fold_in(state.key, state.step);
  Batch batch{normal<Float32<"batch in=6">>(key, 12), {}};
  batch.label = argmax<"in">(batch.x) % 4;
  return batch;
}

/// One step; true if its loss is the least so far.
bool learn(State& state) {
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

constexpr rlim_t disk_bytes = 3000;  // less than a checkpoint has

/// From now on no file can be larger: as on a full disk, or with a signal in the middle of a save.
void limit_files(void (*handler)(int)) {
  std::signal(SIGXFSZ, handler);
  rlimit const limit{disk_bytes, disk_bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

void interrupt(Kind kind) {
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
int run(std::filesystem::path const& folder, Interruption const& interruption) try {
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

// ---- Children -----------------------------------------------------------------------------------

constexpr char const* folder_variable = "TENON_INTERRUPTED_FOLDER";
constexpr char const* kind_variable = "TENON_INTERRUPTED_KIND";
constexpr char const* step_variable = "TENON_INTERRUPTED_STEP";

/// What a child ended with: its exit status, or minus the number of a signal.
int result_of_child(std::filesystem::path const& folder, Interruption const& interruption) {
  std::array<std::string, 3> words{"test_train", "--no-skip",
                                   "--test-case=the child of an interrupted run"};
  std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  setenv(folder_variable, folder.c_str(), 1);
  setenv(kind_variable, std::to_string(static_cast<int>(interruption.kind)).c_str(), 1);
  setenv(step_variable, std::to_string(interruption.step).c_str(), 1);
  pid_t const child = fork();
  if (child == 0) {
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  unsetenv(folder_variable);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 127;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int expected_of(Kind kind) {
  switch (kind) {
    case Kind::none:
      return finished;
    case Kind::interrupt:
    case Kind::terminate:
      return stopped;
    case Kind::interrupt_twice:
      return -SIGINT;
    case Kind::exception:
    case Kind::disk:
      return failed;
    case Kind::kill:
    case Kind::kill_in_save:
      return -SIGKILL;
  }
  return 0;
}

/// All files of a folder, in order of their names.
std::vector<std::string> names_in(std::filesystem::path const& folder) {
  auto names = tenon::internal::training::names_in(folder);
  std::ranges::sort(names);
  return names;
}

/// The files of a run that is not interrupted.
class Reference {
 public:
  Reference() { REQUIRE(result_of_child(folder_ / "run", {}) == finished); }

  /// The last and the best checkpoint are the same, byte by byte. (The third file is the one
  /// before: that of the interruption, or as here.)
  void compare(std::filesystem::path const& other) const {
    for (std::string const name : {"best.safetensors", "checkpoint_step_040.safetensors"})
      CHECK((read_bytes(folder_ / "run" / name) == read_bytes(other / name)));
    for (auto const& name : names_in(other)) CHECK(name.ends_with(".safetensors"));
    CHECK(names_in(other).size() == 3);
  }

  std::filesystem::path path() const { return folder_ / "run"; }

 private:
  Folder folder_;
};

constexpr std::array<Interruption, 22> places{{
    {Kind::interrupt, 0},
    {Kind::interrupt, 7},
    {Kind::interrupt, 22},
    {Kind::interrupt, 38},
    {Kind::terminate, 3},
    {Kind::terminate, 31},
    {Kind::interrupt_twice, 25},
    {Kind::exception, 1},
    {Kind::exception, 16},
    {Kind::exception, 39},
    {Kind::kill, 0},
    {Kind::kill, 11},
    {Kind::kill, 38},
    {Kind::disk, -1},
    {Kind::disk, 4},
    {Kind::disk, 19},
    {Kind::disk, 39},
    {Kind::kill_in_save, -1},
    {Kind::kill_in_save, 3},
    {Kind::kill_in_save, 17},
    {Kind::kill_in_save, 30},
    {Kind::kill_in_save, 39},
}};

}  // namespace

TEST_CASE("the child of an interrupted run" * doctest::skip()) {
  char const* const folder = std::getenv(folder_variable);
  if (!folder) return;  // all tests run, also those that are skipped
  for (int const signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  Interruption const interruption{static_cast<Kind>(std::atoi(std::getenv(kind_variable))),
                                  std::atoi(std::getenv(step_variable))};
  _exit(run(folder, interruption));
}

TEST_CASE("a run that is interrupted and resumed ends in the same bits") {
  Reference const reference;
  CHECK(names_in(reference.path()) == std::vector<std::string>{"best.safetensors",
                                                               "checkpoint_step_036.safetensors",
                                                               "checkpoint_step_040.safetensors"});
  CHECK(std::filesystem::file_size(reference.path() / "best.safetensors") > disk_bytes);
  for (auto const& place : places) {
    CAPTURE(static_cast<int>(place.kind));
    CAPTURE(place.step);
    Folder const folder;
    CHECK(result_of_child(folder / "run", place) == expected_of(place.kind));
    CHECK(result_of_child(folder / "run", {}) == finished);
    reference.compare(folder / "run");
  }
}

TEST_CASE("a run that is interrupted again and again ends in the same bits") {
  Reference const reference;
  Folder const folder;
  for (auto const& place : {Interruption{Kind::kill_in_save, -1},
                            {Kind::kill, 2},
                            {Kind::interrupt, 5},
                            {Kind::kill_in_save, 9},
                            {Kind::disk, 14},
                            {Kind::exception, 21},
                            {Kind::terminate, 33}}) {
    CAPTURE(place.step);
    CHECK(result_of_child(folder / "run", place) == expected_of(place.kind));
  }
  CHECK(result_of_child(folder / "run", {}) == finished);
  reference.compare(folder / "run");
}

TEST_CASE("a killed save leaves a partial file, which the next run removes") {
  Folder const folder;
  result_of_child(folder / "run", {Kind::kill_in_save, 6});
  auto const has_partial = [&] {
    return std::ranges::any_of(names_in(folder / "run"), [](std::string const& name) {
      return name.find(".partial-") != std::string::npos;
    });
  };
  CHECK(has_partial());
  training::CheckpointManager const checkpoints(folder / "run");
  CHECK_FALSE(has_partial());
}

}  // namespace interrupted_test

#endif
