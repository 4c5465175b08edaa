// Checkpoints in a folder: names, what remains, what is found, and every message.

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/checkpoints.hpp>
#include <tenon/train/checkpoints/checkpoint_files.hpp>

#include "../io/folder.hpp"

namespace checkpoints_test {

using namespace tenon;
using training::CheckpointManager;

namespace {

struct Model {
  Float32<"in=2 out=3"> weight;
  Float32<"out=3"> bias;
};

struct State {
  Model model;
  AdamWState<Model> optimizer;
  std::int64_t epoch = 0;
  double best_loss = 0;
  Key key{1};
};

State state_at(std::int64_t epoch) {
  State state{.model = init::normal<Model>(Key{3}, 1.0f), .optimizer = {}, .epoch = epoch};
  state.optimizer = AdamW{}.init(state.model);
  return state;
}

std::vector<std::string> names_in(Folder const& folder) {
  auto names = tenon::internal::training::names_in(folder / "");
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the newest checkpoints remain, and the best one") {
  Folder const folder;
  {
    CheckpointManager checkpoints(folder / "", {.keep = 2});
    for (std::int64_t epoch = 1; epoch <= 5; ++epoch) {
      auto const path = checkpoints.save(state_at(epoch), epoch, epoch == 2);
      CHECK(path.filename() == "checkpoint_epoch_00" + std::to_string(epoch) + ".safetensors");
    }
  }
  CHECK(names_in(folder) == Names{"best.safetensors", "checkpoint_epoch_004.safetensors",
                                  "checkpoint_epoch_005.safetensors"});
  CHECK(load_metadata(folder / "best.safetensors").at("epoch") == "2");
}

TEST_CASE("a state is loaded to the bit") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "");
  auto const saved = state_at(7);
  checkpoints.save(saved, 7);
  auto loaded = state_at(0);
  CHECK(checkpoints.load_latest(loaded));
  CHECK(loaded.epoch == 7);
  save(folder / "again.safetensors", loaded, {{"epoch", "7"}});
  CHECK(read_bytes(folder / "again.safetensors") == read_bytes(*checkpoints.latest()));
}

TEST_CASE("a new folder is created, and has no checkpoint") {
  Folder const folder;
  CheckpointManager const checkpoints(folder / "a/b");
  CHECK(std::filesystem::is_directory(folder / "a/b"));
  CHECK(checkpoints.folder() == folder / "a/b");
  CHECK_FALSE(checkpoints.latest());
  CHECK_FALSE(checkpoints.best());
  auto state = state_at(4);
  CHECK_FALSE(checkpoints.load_latest(state));
  CHECK(state.epoch == 4);
}

TEST_CASE("checkpoints are ordered by number, and counted by a unit") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.keep = training::keep_all, .unit = "step"});
  for (std::int64_t const step : {1000, 999, 0}) checkpoints.save(state_at(step), step);
  write_bytes(folder / "checkpoint_epoch_2000.safetensors", "");
  write_bytes(folder / "checkpoint_step_02000.safetensors", "");
  write_bytes(folder / "checkpoint_step_-01.safetensors", "");
  write_bytes(folder / "checkpoint_step_99999999999999999999.safetensors", "");
  CHECK(checkpoints.latest()->filename() == "checkpoint_step_1000.safetensors");
  CHECK(tenon::internal::training::checkpoint_numbers(folder / "", "step") ==
        std::vector<std::int64_t>{0, 999, 1000});
}

TEST_CASE("a run that is resumed from an earlier checkpoint removes the later ones first") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.keep = 2});
  checkpoints.save(state_at(8), 8);
  checkpoints.save(state_at(9), 9);
  checkpoints.save(state_at(3), 3);
  CHECK(checkpoints.latest()->filename() == "checkpoint_epoch_009.safetensors");
  checkpoints.remove_after(3);
  CHECK(checkpoints.latest()->filename() == "checkpoint_epoch_003.safetensors");
}

TEST_CASE("latest, best, a path and a name in the folder are found") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "runs");
  checkpoints.save(state_at(1), 1, true);
  checkpoints.save(state_at(2), 2);
  auto const found = [&](std::string_view which) {
    return training::find_checkpoint(folder / "runs", which).filename().string();
  };
  CHECK(found("latest") == "checkpoint_epoch_002.safetensors");
  CHECK(found("best") == "best.safetensors");
  CHECK(found("checkpoint_epoch_001.safetensors") == "checkpoint_epoch_001.safetensors");
  CHECK(found((folder / "runs/best.safetensors").string()) == "best.safetensors");
  CHECK(checkpoints.load("best", state_at(0)).epoch == 1);
  CHECK(words_of<FileError>([&] {
          found("other");
        }).starts_with("tenon::find_checkpoint: 'other': expected a checkpoint, got none ("));
  CHECK_THROWS_AS(training::find_checkpoint(folder / "none", "latest"), FileError);
  CHECK_THROWS_AS(training::find_checkpoint(folder / "none", "best"), FileError);
  CHECK_THROWS_AS(training::find_checkpoint(folder / "runs", ""), FileError);
}

TEST_CASE("options and numbers that make no sense are refused") {
  Folder const folder;
  CHECK(words_of<ValueError>([&] { CheckpointManager(folder / "", {.keep = 0}); }) ==
        "tenon::CheckpointManager: 'keep': expected at least 1, got 0");
  CHECK(words_of<ValueError>([&] { CheckpointManager(folder / "", {.unit = "../x"}); }) ==
        "tenon::CheckpointManager: 'unit': expected a word such as epoch, got '../x'");
  CheckpointManager checkpoints(folder / "");
  CHECK(words_of<ValueError>([&] { checkpoints.save(state_at(0), -1); }) ==
        "tenon::CheckpointManager: 'epoch': expected a number from 0 on, got -1");
  CHECK(folder.count() == 0);
}

TEST_CASE("a folder that cannot be created or read is named") {
  Folder const folder;
  write_bytes(folder / "file", "");
  CHECK(words_of<FileError>([&] { CheckpointManager(folder / "file/sub"); }) ==
        "tenon::CheckpointManager: expected a folder that can be created, got Not a directory "
        "(sub)");
  CHECK(words_of<FileError>([&] { training::find_checkpoint(folder / "file", "latest"); }) ==
        "tenon::checkpoints: expected a folder that can be read, got Not a directory (file)");
}

TEST_CASE("one manager at a time saves in a folder, others load") {
  Folder const folder;
  std::optional<CheckpointManager> first(std::in_place, folder / "");
  first->save(state_at(1), 1);
  CheckpointManager second(folder / "");
  CHECK(second.load("latest", state_at(0)).epoch == 1);
  CHECK(words_of<FileError>([&] { second.save(state_at(2), 2); }) ==
        "tenon::CheckpointManager: expected a folder in which nothing else saves, got one that "
        "another object or program has locked (.checkpoints.lock)");
  CHECK_THROWS_AS(second.remove_after(0), FileError);
  first.reset();
  second.save(state_at(2), 2);
  CHECK(second.latest()->filename() == "checkpoint_epoch_002.safetensors");
}

TEST_CASE("what killed programs left is removed, other files remain") {
  Folder const folder;
  for (auto const* const name :
       {"best.safetensors.partial-1-0", ".checkpoints.lock",
        "checkpoint_epoch_004.safetensors.partial-12-3", "notes.txt.partial-1-0", "notes.txt"})
    write_bytes(folder / name, "half");
  {
    CheckpointManager checkpoints(folder / "");
    CHECK(names_in(folder) == Names{".checkpoints.lock", "notes.txt", "notes.txt.partial-1-0"});
    checkpoints.save(state_at(1), 1);
  }
  CHECK(names_in(folder) ==
        Names{"checkpoint_epoch_001.safetensors", "notes.txt", "notes.txt.partial-1-0"});
}

TEST_CASE("permissions of a checkpoint that is replaced are kept") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "");
  auto const path = checkpoints.save(state_at(1), 1);
  auto const mode = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(path, mode);
  checkpoints.save(state_at(2), 1);
  CHECK(std::filesystem::status(path).permissions() == mode);
  CHECK(checkpoints.load("latest", state_at(0)).epoch == 2);
}

TEST_CASE("the best checkpoint is saved first: a run that ends in between repeats the epoch") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "");
  std::filesystem::create_directory(folder / "checkpoint_epoch_002.safetensors");
  CHECK_THROWS_AS(checkpoints.save(state_at(2), 2, true), FileError);
  CHECK(checkpoints.load("best", state_at(0)).epoch == 2);
}

TEST_CASE("a save that fails keeps the former checkpoints") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "", {.keep = 1});
  checkpoints.save(state_at(1), 1);
  std::filesystem::create_directory(folder / "checkpoint_epoch_002.safetensors");
  CHECK_THROWS_AS(checkpoints.save(state_at(2), 2), FileError);
  CHECK(checkpoints.load("checkpoint_epoch_001.safetensors", state_at(0)).epoch == 1);
}

}  // namespace checkpoints_test
