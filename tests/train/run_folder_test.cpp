// The folder of a run: its files, names that are taken, parents and tags that are refused.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/io/json/value.hpp>
#include <tenon/train/run.hpp>
#include <tenon/train/run/time_text.hpp>

#include "../io/folder.hpp"

namespace run_folder_test {

/// A configuration of a user who writes the text of it.
struct OwnConfig {
  int seed = 7;
};

}  // namespace run_folder_test

template <>
struct tenon::internal::training::ConfigWriter<run_folder_test::OwnConfig> {
  static tenon::training::ConfigText write(run_folder_test::OwnConfig const& config) {
    return {"seed: " + std::to_string(config.seed) + "\n", "yaml"};
  }
};

namespace run_folder_test {

using namespace tenon;
using training::ConfigText;
using training::RunManager;
using training::RunOptions;

namespace {

/// A time in the middle of a second.
RunOptions options_in(std::filesystem::path const& parent) {
  std::chrono::system_clock::time_point const time{std::chrono::milliseconds(1'795'000'000'500)};
  return {.parent = parent, .console = false, .time = time};
}

std::set<std::string> names_in(std::filesystem::path const& folder) {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

std::string name_at(RunOptions const& options) {
  return internal::training::time_text(options.time, "%Y%m%d_%H%M%S_");
}

}  // namespace

TEST_CASE("a run has its folder of five files and one for checkpoints") {
  Folder const folder;
  RunManager run(ConfigText{"seed = 7\n"}, "first", options_in(folder / "a/b"));
  CHECK(run.folder() == folder / "a/b" / (name_at(options_in("")) + "first"));
  run.metrics({.step = 1});
  run.log().info("begun");
  { training::Span const span(run.log(), "epoch"); }
  CHECK(names_in(run.folder()) == std::set<std::string>{"checkpoints", "config_resolved.toml",
                                                        "metrics.jsonl", "spans.jsonl",
                                                        "system.json", "train.log"});
  CHECK(read_bytes(run.folder() / "config_resolved.toml") == "seed = 7\n");
  CHECK(std::filesystem::is_empty(run.checkpoints()));
  CHECK(run.checkpoints() == run.folder() / "checkpoints");
}

TEST_CASE("the name of the folder has the local time and the tag") {
  Folder const folder;
  auto const run = RunManager(ConfigText{}, "a.b-c_9", options_in(folder / "runs"));
  std::string const name = run.folder().filename().string();
  CHECK(name.size() == 16 + 7);
  CHECK(name.substr(15) == "_a.b-c_9");
  CHECK(name[8] == '_');
}

TEST_CASE("a struct with a writer is recorded in the format of the writer") {
  Folder const folder;
  RunManager const run(OwnConfig{9}, "own", options_in(folder / "runs"));
  CHECK(read_bytes(run.folder() / "config_resolved.yaml") == "seed: 9\n");
}

TEST_CASE("runs of one second have folders of their own") {
  Folder const folder;
  auto const options = options_in(folder / "runs");
  std::string const name = name_at(options) + "tag";
  for (std::string const end : {"", "_2", "_3"}) {
    RunManager const run(ConfigText{}, "tag", options);
    CHECK(run.folder().filename() == name + end);
  }
}

TEST_CASE("a folder or a file of the name is left as it is") {
  Folder const folder;
  auto const options = options_in(folder / "runs");
  std::string const name = name_at(options) + "tag";
  std::filesystem::create_directories(options.parent / name);
  write_bytes(options.parent / (name + "_2"), "mine");
  RunManager const run(ConfigText{}, "tag", options);
  CHECK(run.folder().filename() == name + "_3");
  CHECK(std::filesystem::is_empty(options.parent / name));
  CHECK(read_bytes(options.parent / (name + "_2")) == "mine");
}

TEST_CASE("a thousand folders of one name are refused") {
  Folder const folder;
  auto const options = options_in(folder / "runs");
  std::string const name = name_at(options) + "tag";
  std::filesystem::create_directories(options.parent / name);
  for (int i = 2; i <= 1000; ++i)
    std::filesystem::create_directory(options.parent / (name + "_" + std::to_string(i)));
  CHECK(words_of<FileError>([&] { RunManager(ConfigText{}, "tag", options); }) ==
        "tenon::RunManager: expected a folder that can be created, got 1000 of that name (" + name +
            ")");
}

#if !defined(_WIN32)  // which has another text for it
TEST_CASE("a parent that is a file is refused") {
  Folder const folder;
  write_bytes(folder / "runs", "");
  auto const options = options_in(folder / "runs");
  CHECK(words_of<FileError>([&] { RunManager(ConfigText{}, "tag", options); }) ==
        "tenon::RunManager: expected a folder that can be created, got Not a directory (" +
            name_at(options) + "tag)");
}
#endif

TEST_CASE("a tag that is no name on every system is refused") {
  Folder const folder;
  auto const message = [&](std::string const& tag) {
    return words_of<ValueError>(
        [&] { RunManager(ConfigText{}, tag, options_in(folder / "runs")); });
  };
  CHECK(message("a/b") ==
        "tenon::RunManager: 'tag': expected 1 to 100 letters, digits, '-', '_' and '.', no '.' at "
        "the end, got 'a/b'");
  CHECK(message("\x1b[2J").ends_with("got '\\x1b[2J'"));
  for (std::string const tag : {"", " ", "..", "a.", "a b", "a\\b", "a:b", "\xc3\xa4", "a\n"})
    CHECK(message(tag) != "nothing");
  CHECK(message(std::string(101, 'a')) != "nothing");
  CHECK(message(std::string("a\0b", 3)) != "nothing");
  CHECK_FALSE(std::filesystem::exists(folder / "runs"));
}

TEST_CASE("a rank above 0 writes nothing") {
  Folder const folder;
  auto options = options_in(folder / "runs");
  options.rank = 2;
  options.folder = folder / "of_rank_0";
  RunManager run(ConfigText{"a = 1"}, "tag", options);
  run.metrics({.step = 1});
  run.log().info("begun");
  { training::Span const span(run.log(), "epoch"); }
  CHECK(folder.count() == 0);
  CHECK(run.checkpoints() == folder / "of_rank_0" / "checkpoints");
}

TEST_CASE("a run that is moved goes on") {
  Folder const folder;
  std::vector<RunManager> runs;
  runs.push_back(RunManager(ConfigText{}, "tag", options_in(folder / "runs")));
  { training::Span const span(runs[0].log(), "epoch"); }
  CHECK(names_in(runs[0].folder()).contains("spans.jsonl"));
}

}  // namespace run_folder_test
