// A save that is killed, or that fails, at any of its system calls leaves the complete old or new
// file. The functions here replace those of the C library.

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>

#if defined(__linux__)

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// The event at a system call.
enum class Fault { none, killed, killed_halfway, fails, interrupted };

struct Plan {
  Fault fault = Fault::none;
  int calls_before = 0;  // the number of calls that succeed
  int calls = 0;         // the number of calls so far
};
Plan plan;

Fault next_fault() {
  return plan.fault != Fault::none && plan.calls++ == plan.calls_before ? plan.fault : Fault::none;
}

/// The result of a call made by `real`; `half` makes a part of it.
template <class Real, class Half>
long call(Real&& real, Half&& half) {
  Fault const fault = next_fault();
  if (fault == Fault::killed_halfway) half();
  if (fault == Fault::killed || fault == Fault::killed_halfway) ::_exit(9);
  if (fault == Fault::none) return real();
  errno = fault == Fault::interrupted ? EINTR : ENOSPC;
  return -1;
}

}  // namespace

extern "C" {

ssize_t write(int file, void const* data, size_t bytes) {
  auto const real = [&](size_t count) { return ::syscall(SYS_write, file, data, count); };
  if (file <= 2) return real(bytes);  // the output of the tests
  return call([&] { return real(bytes); }, [&] { return real(bytes / 2); });
}

int fsync(int file) {
  return static_cast<int>(call([&] { return ::syscall(SYS_fsync, file); }, [] { return 0; }));
}

int rename(char const* from, char const* to) noexcept {
  auto const real = [&] { return ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0u); };
  return static_cast<int>(call(real, real));
}
}

using namespace tenon;

namespace {

struct State {
  std::vector<Float32<"n">> layers;
  std::int64_t step = 0;
};

State state_of(float value) {
  Float32<"n"> const layer(std::span<float const>(std::vector<float>(1000, value)), 1000);
  return {std::vector(3, layer), static_cast<std::int64_t>(value)};
}

bool is_of(State const& state, float value) {
  for (auto const& layer : state.layers) {
    for (std::int64_t i = 0; i < 1000; ++i) {
      if (layer(i) != value) return false;
    }
  }
  return state.layers.size() == 3 && state.step == static_cast<std::int64_t>(value);
}

/// Saves in a child process, in which the fault occurs; returns its exit status.
int save_in_child(std::filesystem::path const& path, Fault fault, int calls_before) {
  pid_t const child = ::fork();
  if (child == 0) {
    plan = {fault, calls_before, 0};
    save(path, state_of(2));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/// Repeats the save, killed one call later each time, until one completes; returns how many were
/// killed.
int kill_at_every_call(Fault fault) {
  for (int calls_before = 0;; ++calls_before) {
    Folder const folder;
    save(folder / "s", state_of(1));
    bool const killed = save_in_child(folder / "s", fault, calls_before) == 9;
    State const found = load<State>(folder / "s");
    CHECK((is_of(found, 1) || is_of(found, 2)));
    if (!killed) {
      CHECK(is_of(found, 2));
      CHECK(folder.count() == 1);
      return calls_before;
    }
  }
}

}  // namespace

// The header, four entries, fsync, rename, fsync of the folder.
TEST_CASE("a save that is killed at any call leaves the old file or the new one") {
  CHECK(kill_at_every_call(Fault::killed) == 8);
  CHECK(kill_at_every_call(Fault::killed_halfway) == 8);
}

TEST_CASE("a first save that is killed leaves no file of that name") {
  Folder const folder;
  CHECK(save_in_child(folder / "s", Fault::killed, 3) == 9);
  CHECK_FALSE(std::filesystem::exists(folder / "s"));
  CHECK(folder.count() == 1);  // the partial file
  save(folder / "s", state_of(1));
  CHECK(is_of(load<State>(folder / "s"), 1));
  CHECK(folder.count() == 1);
}

TEST_CASE("a full disk is an error, and the old file is kept") {
  for (int calls_before = 0; calls_before < 7; ++calls_before) {
    Folder const folder;
    save(folder / "s", state_of(1));
    plan = {Fault::fails, calls_before, 0};
    CHECK(words_of<FileError>([&] { save(folder / "s", state_of(2)); }) ==
          "tenon::save: expected a file that can be written, got No space left on device (s)");
    plan = {};
    CHECK(is_of(load<State>(folder / "s"), 1));
    CHECK(folder.count() == 1);
  }
}

TEST_CASE("interrupted calls are repeated") {
  for (int calls_before = 0; calls_before < 8; ++calls_before) {
    if (calls_before == 6) continue;  // rename is not interrupted
    Folder const folder;
    plan = {Fault::interrupted, calls_before, 0};
    save(folder / "s", state_of(2));
    plan = {};
    CHECK(is_of(load<State>(folder / "s"), 2));
  }
}

#endif
