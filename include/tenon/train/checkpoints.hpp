#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/train/checkpoints/folder_lock.hpp>

namespace tenon::training {

/// Which checkpoints are kept, and their names.
struct CheckpointOptions {
  int keep = 3;                     ///< The newest that remain; `keep_all` for all of them.
  std::string_view unit = "epoch";  ///< What numbers count: `checkpoint_epoch_005.safetensors`.
};

/// For `.keep`: no checkpoint is removed.
inline constexpr int keep_all = (std::numeric_limits<int>::max)();

}  // namespace tenon::training

namespace tenon::internal::training {

/// Throws `ValueError` for options that make no sense.
void check_options(std::string_view who, tenon::training::CheckpointOptions const& options);

/// The file in a folder of checkpoints that "latest" or "best" means, or a path: that of a file, or
/// of one in the folder; for an option `--resume`. `unit` is that of `CheckpointOptions`. Throws
/// `FileError` if there is none.
std::filesystem::path find_checkpoint(std::filesystem::path const& folder, std::string_view which,
                                      std::string_view unit = "epoch");

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::find_checkpoint;

/// The checkpoints of a run: files of safetensors in one folder, each the whole state of training,
/// a plain struct such as
///
///     struct State { Model model; AdamWState<Model> optimizer; Key key; std::int64_t step = 0; };
///
/// Files are replaced atomically and keep their permissions; what a killed program left is removed
/// by the next manager of the folder. One manager at a time saves in a folder, others may load.
/// Throws `FileError`. PyTorch: `torch.save` and `torch.load` of a dictionary of states.
class CheckpointManager {
 public:
  /// Creates the folder if it does not exist. Throws `ValueError` for options that make no sense.
  explicit CheckpointManager(std::filesystem::path folder, CheckpointOptions const& options = {});

  /// Saves a state under its number, and first as best.safetensors if it is the best so far; then
  /// removes all but the newest checkpoints up to this number. Returns the path. The number is in
  /// the metadata of both files, as `epoch`.
  template <class State>
  std::filesystem::path save(State const& state, std::int64_t number, bool is_best = false) {
    prepare(number);
    Metadata const metadata{{unit_, std::to_string(number)}};
    if (is_best) tenon::save(best_path(), state, metadata);
    auto path = path_of(number);
    tenon::save(path, state, metadata);
    prune(number);
    return path;
  }

  /// The checkpoint with the largest number.
  std::optional<std::filesystem::path> latest() const;

  std::optional<std::filesystem::path> best() const;

  /// The state of the checkpoint "latest", "best" or of a path (`find_checkpoint`); `like` has its
  /// structure and sizes. Entries that are missing, extra, or of another dtype or shape are named,
  /// up to eight of them, in one `FileError`; `ShapeError` if only shapes differ.
  template <class State>
  State load(std::string_view which, State const& like) const {
    return tenon::load(find_checkpoint(folder_, which, unit_), like,
                       {.report_all = true, .same_sizes = true});
  }

  /// Replaces a state by the latest checkpoint; false if there is none.
  template <class State>
  bool load_latest(State& state) const {
    if (!latest()) return false;
    state = load("latest", std::as_const(state));
    return true;
  }

  /// Removes the checkpoints after a number, from which a run is resumed.
  void remove_after(std::int64_t number);

  std::filesystem::path const& folder() const { return folder_; }

 private:
  std::filesystem::path path_of(std::int64_t number) const;
  std::filesystem::path best_path() const;
  void prepare(std::int64_t number);
  void prune(std::int64_t number) const;
  void remove(std::int64_t number) const;

  std::filesystem::path folder_;
  std::string unit_;
  int keep_;
  std::optional<internal::training::FolderLock> lock_{};
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/io/file.hpp>
#include <tenon/train/checkpoints/checkpoint_files.hpp>

namespace tenon::internal::training {

TENON_RUNTIME void check_options(std::string_view who,
                                 tenon::training::CheckpointOptions const& options) {
  if (options.keep < 1) {
    fail<ValueError>({.who = who,
                      .what = "keep",
                      .expected = "at least 1",
                      .got = std::to_string(options.keep)});
  }
  if (!is_name(options.unit)) {
    std::string const got = "'" + escaped(options.unit) + "'";
    fail<ValueError>({.who = who, .what = "unit", .expected = "a word such as epoch", .got = got});
  }
}

TENON_RUNTIME std::filesystem::path find_checkpoint(std::filesystem::path const& folder,
                                                    std::string_view which, std::string_view unit) {
  std::filesystem::path found = which;
  if (which == "best") found = folder / best_checkpoint;
  if (which == "latest") {
    auto const numbers = checkpoint_numbers(folder, unit);
    found = numbers.empty() ? folder : folder / checkpoint_name(unit, numbers.back());
  }
  std::error_code none;
  if (std::filesystem::is_regular_file(found, none)) return found;
  if (std::filesystem::is_regular_file(folder / found, none)) return folder / found;
  fail<FileError>({.who = "find_checkpoint",
                   .what = which,
                   .expected = "a checkpoint",
                   .got = "none",
                   .where = folder.string()});
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME CheckpointManager::CheckpointManager(std::filesystem::path folder,
                                                   CheckpointOptions const& options)
    : folder_(std::move(folder)), unit_(options.unit), keep_(options.keep) {
  internal::training::check_options("CheckpointManager", options);
  internal::training::create_folder(folder_, "CheckpointManager");
  internal::training::remove_abandoned_saves(folder_);
}

TENON_RUNTIME std::optional<std::filesystem::path> CheckpointManager::latest() const {
  auto const numbers = internal::training::checkpoint_numbers(folder_, unit_);
  return numbers.empty() ? std::nullopt : std::optional(path_of(numbers.back()));
}

TENON_RUNTIME std::optional<std::filesystem::path> CheckpointManager::best() const {
  std::error_code none;
  bool const exists = std::filesystem::is_regular_file(best_path(), none);
  return exists ? std::optional(best_path()) : std::nullopt;
}

TENON_RUNTIME void CheckpointManager::remove_after(std::int64_t number) {
  prepare(number);
  for (auto const other : internal::training::checkpoint_numbers(folder_, unit_)) {
    if (other > number) remove(other);
  }
}

TENON_RUNTIME std::filesystem::path CheckpointManager::path_of(std::int64_t number) const {
  return folder_ / internal::training::checkpoint_name(unit_, number);
}

TENON_RUNTIME std::filesystem::path CheckpointManager::best_path() const {
  return folder_ / internal::training::best_checkpoint;
}

/// Before the first change of the folder it is locked.
TENON_RUNTIME void CheckpointManager::prepare(std::int64_t number) {
  if (number < 0) {
    internal::fail<ValueError>({.who = "CheckpointManager",
                                .what = unit_,
                                .expected = "a number from 0 on",
                                .got = std::to_string(number)});
  }
  if (!lock_) lock_.emplace(folder_, "CheckpointManager");
}

/// Of the checkpoints up to this one the newest remain. (Larger numbers are of a run that was
/// resumed from an earlier checkpoint.)
TENON_RUNTIME void CheckpointManager::prune(std::int64_t number) const {
  auto numbers = internal::training::checkpoint_numbers(folder_, unit_);
  std::erase_if(numbers, [&](std::int64_t other) { return other > number; });
  auto const kept = static_cast<std::size_t>(keep_);
  for (std::size_t i = 0; i + kept < numbers.size(); ++i) remove(numbers[i]);
}

/// (A file that cannot be removed is no reason to end a program that trains.)
TENON_RUNTIME void CheckpointManager::remove(std::int64_t number) const {
  std::error_code ignored;
  std::filesystem::remove(path_of(number), ignored);
}

}  // namespace tenon::training

#endif
