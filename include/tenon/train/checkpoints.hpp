#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/io/safetensors.hpp>

#include <tenon/train/checkpoints/checkpoint_files.hpp>

namespace tenon::training {

/// Which checkpoints are kept, and their names.
struct CheckpointOptions {
  int keep = 3;                     ///< The newest that remain; at least 1.
  std::string_view unit = "epoch";  ///< What numbers count: `checkpoint_epoch_005.safetensors`.
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// The file in a folder of checkpoints that "latest", "best" or a path means. Throws `FileError` if
/// there is none.
inline std::filesystem::path find_checkpoint(std::filesystem::path const& folder,
                                             std::string_view which,
                                             std::string_view unit = "epoch") {
  std::filesystem::path found = which;
  if (which == "best") found = folder / "best.safetensors";
  if (which == "latest") {
    auto const numbers = checkpoint_numbers(folder, unit);
    found = numbers.empty() ? folder : folder / checkpoint_name(unit, numbers.back());
  }
  if (std::filesystem::is_regular_file(found)) return found;
  fail<FileError>({.who = "find_checkpoint",
                   .what = which,
                   .expected = "a checkpoint",
                   .got = "none",
                   .where = folder.string()});
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::find_checkpoint;

/// The checkpoints of a run: files of safetensors in one folder, each the whole state of training,
/// a plain struct such as
///
///     struct State { Model model; AdamWState<Model> optimizer; Key key; std::int64_t step = 0; };
///
/// Files are replaced atomically; what a killed program left is removed by the next manager of the
/// folder. Throws `FileError`. PyTorch: `torch.save` and `torch.load` of a dictionary of states.
class CheckpointManager {
 public:
  /// Creates the folder if it does not exist.
  explicit CheckpointManager(std::filesystem::path folder, CheckpointOptions options = {})
      : folder_(std::move(folder)), options_(options), unit_(options.unit) {
    if (options_.keep < 1) {
      internal::fail<ValueError>({.who = "CheckpointManager",
                                  .what = "keep",
                                  .expected = "at least 1",
                                  .got = std::to_string(options_.keep)});
    }
    create();
    internal::training::remove_abandoned_saves(folder_);
  }

  /// Saves a state under its number, as best.safetensors too if it is the best so far, and removes
  /// all but the newest checkpoints. (The best one is written first: a program that is killed in
  /// between repeats the epoch.)
  template <class State>
  std::filesystem::path save(State const& state, std::int64_t number, bool is_best = false) {
    if (is_best) tenon::save(best_path(), state);
    auto const path = path_of(number);
    tenon::save(path, state);
    prune(number);
    return path;
  }

  /// The checkpoint with the largest number.
  std::optional<std::filesystem::path> latest() const {
    auto const numbers = internal::training::checkpoint_numbers(folder_, unit_);
    if (numbers.empty()) return std::nullopt;
    return path_of(numbers.back());
  }

  std::optional<std::filesystem::path> best() const {
    if (!std::filesystem::exists(best_path())) return std::nullopt;
    return best_path();
  }

  /// The state of the checkpoint "latest", "best" or of a path; `like` has its structure. Entries
  /// that are missing, extra or of another shape are named, all of them in one `FileError`.
  template <class State>
  State load(std::string_view which, State const& like) const {
    return tenon::load(find_checkpoint(folder_, which, unit_), like, {.report_all = true});
  }

  /// Removes the checkpoints after a number, from which a run is resumed.
  void remove_after(std::int64_t number) {
    for (auto const other : internal::training::checkpoint_numbers(folder_, unit_)) {
      if (other > number) remove(other);
    }
  }

 private:
  std::filesystem::path path_of(std::int64_t number) const {
    return folder_ / internal::training::checkpoint_name(unit_, number);
  }
  std::filesystem::path best_path() const { return folder_ / "best.safetensors"; }

  void create() const {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!error) return;
    internal::fail<FileError>({.who = "CheckpointManager",
                               .expected = "a folder that can be created",
                               .got = error.message(),
                               .where = folder_.string()});
  }

  /// Of the checkpoints up to this one the newest remain.
  void prune(std::int64_t number) const {
    auto numbers = internal::training::checkpoint_numbers(folder_, unit_);
    std::erase_if(numbers, [&](std::int64_t other) { return other > number; });
    auto const kept = static_cast<std::size_t>(options_.keep);
    for (std::size_t i = 0; i + kept < numbers.size(); ++i) remove(numbers[i]);
  }

  /// (A file that cannot be removed is no reason to end a program that trains.)
  void remove(std::int64_t number) const {
    std::error_code error;
    std::filesystem::remove(path_of(number), error);
  }

  std::filesystem::path folder_;
  CheckpointOptions options_;
  std::string unit_;
};

}  // namespace tenon::training
