// A run that is interrupted, by a signal, an exception, a full disk or kill -9, and resumed, ends
// in the same bits as one that is not. The test program runs itself as the child that is
// interrupted.

#include <doctest/doctest.h>

#if defined(__linux__)

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/checkpoints.hpp>
#include <tenon/train/checkpoints/checkpoint_files.hpp>

#include "../io/folder.hpp"
#include "interrupted.hpp"

namespace interrupted_test {

using namespace tenon;
using namespace interrupted;

namespace {

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
