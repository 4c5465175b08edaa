// The files of a run when the disk is full, and when the program is killed.

#if !defined(_WIN32)

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tenon/tenon.hpp>

#include <tenon/train/run.hpp>

#include "../io/folder.hpp"

namespace run_faults_test {

using namespace tenon;
using training::ConfigText;
using training::RunManager;

namespace {

std::vector<std::string> lines_of(std::filesystem::path const& path) {
  std::istringstream text(read_bytes(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

RunManager run_in(Folder const& folder) {
  return RunManager(ConfigText{}, "tag", {.parent = folder / "runs", .console = false});
}

bool has_step(std::string const& line, int step) {
  return line.starts_with("{\"time\": ") &&
         line.ends_with(", \"step\": " + std::to_string(step) + "}");
}

/// Runs a program in a child process; its exit status.
template <class F>
int status_of_child(F const& call) {
  pid_t const child = ::fork();
  if (child == 0) ::_exit(call());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Limits the size of files that this process writes, in bytes.
void limit_files(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit const limit{bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace

TEST_CASE("a full disk is an error, and the lines after it are whole") {
  Folder const folder;
  auto run = run_in(folder);
  run.metrics({.step = 1});
  int const status = status_of_child([&] {
    limit_files(std::filesystem::file_size(run.folder() / "metrics.jsonl") + 10);
    auto const words = words_of<FileError>([&] { run.metrics({.step = 2}); });
    limit_files(RLIM_INFINITY);
    run.metrics({.step = 3});
    return words == "tenon::RunManager: expected a file that can be written, got File too large "
                    "(metrics.jsonl)"
               ? 0
               : 1;
  });
  CHECK(status == 0);
  auto const lines = lines_of(run.folder() / "metrics.jsonl");
  REQUIRE(lines.size() == 3);
  CHECK(has_step(lines[0], 1));
  CHECK(lines[1] == lines[0].substr(0, 10));
  CHECK(has_step(lines[2], 3));
}

TEST_CASE("a configuration that does not fit on the disk is an error without a file") {
  Folder const folder;
  int const status = status_of_child([&] {
    limit_files(100);
    auto const words = words_of<FileError>([&] {
      RunManager(ConfigText{std::string(1000, '#')}, "tag",
                 {.parent = folder / "runs", .console = false});
    });
    return words == "tenon::RunManager: expected a file that can be written, got File too large "
                    "(config_resolved.toml)"
               ? 0
               : 1;
  });
  CHECK(status == 0);
  for (auto const& entry : std::filesystem::recursive_directory_iterator(folder / "runs"))
    CHECK(entry.path().filename() != "config_resolved.toml");
}

TEST_CASE("what a killed program has written is complete") {
  Folder const folder;
  auto run = run_in(folder);
  pid_t const child = ::fork();
  if (child == 0) {
    for (int i = 0; i < 50; ++i) run.metrics({.step = i});
    run.log().info("fifty");
    std::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(lines_of(run.folder() / "metrics.jsonl").size() == 50);
  CHECK(read_bytes(run.folder() / "train.log").ends_with("fifty\n"));
}

}  // namespace run_faults_test

#endif
