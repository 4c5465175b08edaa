// The record of a run of many ranks: one folder, the same files as of one rank.

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <string>

#include <tenon/train/run_over_ranks.hpp>

#include "checkpoint_trees.hpp"

namespace run_over_ranks_test {

using namespace tenon;
using checkpoint_trees::Folder;
using training::ConfigText;
using training::RunManager;
using training::RunOptions;

namespace {

/// At a fixed time.
RunOptions options_in(std::filesystem::path const& parent) {
  std::chrono::system_clock::time_point const time{std::chrono::seconds(1'795'000'000)};
  return {.parent = parent, .console = false, .time = time};
}

std::string text_of(std::filesystem::path const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The texts of the files below a folder, by path: without times, random identifiers and
/// the number of ranks.
std::map<std::string, std::string> files_in(std::filesystem::path const& folder) {
  std::map<std::string, std::string> files;
  static std::regex const varying(
      R"re([0-9-]{10} [0-9:]{8}|"time": [0-9.e+]+|"[0-9a-f]{16,32}"|"ranks": [0-9]+)re");
  for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::string const text = entry.is_directory() ? "a folder" : text_of(entry.path());
    files[entry.path().lexically_relative(folder).string()] =
        std::regex_replace(text, varying, "-");
  }
  return files;
}

/// What a training does on each rank.
void train(RunManager& run) {
  training::Span const span(run.log(), "epoch", {{"epoch", 1}});
  for (int step = 1; step <= 3; ++step) {
    run.metrics({.step = step, .loss = 1.0 / step});
    run.log().log_step({.step = step, .loss = 1.0 / step});
  }
}

template <class Exception, class F>
std::string message_of(F const& call) {
  try {
    call();
  } catch (Exception const& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("all ranks have one folder, with the files of one rank") {
  World const world;
  Folder const folder(world);
  auto run =
      training::run_over_ranks(world, ConfigText{"a = 1\n"}, "tag", options_in(folder / "n"));
  train(run);
  barrier(world.group());
  if (world.rank() == 0) {
    auto options = options_in(folder / "1");
    options.libraries = internal::training::mpi_libraries();
    RunManager alone(ConfigText{"a = 1\n"}, "tag", options);
    train(alone);
    auto const files = files_in(folder / "n"), expected = files_in(folder / "1");
    CHECK(files.size() == 7);  // with the folder itself
    CHECK(files == expected);
  }
  CHECK(std::filesystem::is_directory(run.checkpoints()));
  barrier(world.group());
}

TEST_CASE("system.json has the number of ranks and the version of MPI") {
  World const world;
  Folder const folder(world);
  auto const run =
      training::run_over_ranks(world, ConfigText{}, "tag", options_in(folder / "runs"));
  std::string const text = text_of(run.folder() / "system.json");
  CHECK(text.find("\"ranks\": " + std::to_string(world.size()) + ",") != std::string::npos);
  CHECK(text.find(", Boost 1_") != std::string::npos);
}

TEST_CASE("two runs in one second have two folders on all ranks") {
  World const world;
  Folder const folder(world);
  auto const options = options_in(folder / "runs");
  auto const first = training::run_over_ranks(world, ConfigText{}, "tag", options);
  auto const second = training::run_over_ranks(world, ConfigText{}, "tag", options);
  CHECK(second.folder() == first.folder().string() + "_2");
}

TEST_CASE("what rank 0 throws is thrown on all ranks") {
  World const world;
  Folder const folder(world);
  std::string const suffix = world.size() == 1 ? "" : " (rank 0)";
  auto const start = [&](std::string const& tag) {
    (void)training::run_over_ranks(world, ConfigText{}, tag, options_in(folder / "runs"));
  };
  CHECK(message_of<ValueError>([&] { start("a b"); }) ==
        "tenon::RunManager: 'tag': expected 1 to 100 letters, digits, '-', '_' and '.', no '.' at "
        "the end, got 'a b'" +
            suffix);
  if (world.rank() == 0) std::ofstream(folder / "runs") << "a file";
  CHECK(message_of<FileError>([&] { start("tag"); })
            .starts_with("tenon::RunManager: expected a folder that can be created, got Not a "
                         "directory ("));
}

TEST_CASE("each rank logs with its rank") {
  World const world;
  Folder const folder(world);
  auto run = training::run_over_ranks(world, ConfigText{}, "tag", options_in(folder / "runs"));
  auto const path = folder / ("log" + std::to_string(world.rank()));
  run.log().add_sink(std::make_shared<training::FileSink>(path));
  run.log().info("here");
  CHECK(text_of(path).find("[rank " + std::to_string(world.rank()) + "] here") !=
        std::string::npos);
}

}  // namespace run_over_ranks_test
