#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/distributed/checkpoint/checkpoint.hpp>

#include <tenon/train/checkpoints.hpp>

namespace tenon::training {

/// The checkpoints of a run whose state is sharded over ranks: folders `000001`, `000002`, … of
/// `save_shards`, one for each save, and `best`. The number of a save is in the metadata of its
/// index. All members are collective, and what one rank throws is thrown on all. PyTorch:
/// `torch.distributed.checkpoint`.
class CheckpointManagerOverRanks {
 public:
  /// Throws `ValueError` for options that make no sense.
  template <internal::Ranks R>
  CheckpointManagerOverRanks(std::filesystem::path folder, R const& ranks,
                             CheckpointOptions const& options = {})
      : folder_(std::move(folder)),
        unit_(options.unit),
        keep_(options.keep),
        group_(internal::checkpoints::group_among(ranks)) {
    internal::training::check_options("CheckpointManagerOverRanks", options);
  }

  /// Saves a state under its number, and first as `best` if it is the best so far; then rank 0
  /// removes all but the newest checkpoints.
  template <class State>
  void save(State const& state, std::int64_t number, bool is_best = false) {
    lock();
    Metadata const metadata{{unit_, std::to_string(number)}};
    if (is_best) save_shards(folder_ / "best", state, group_, {.metadata = metadata});
    save_shards(folder_, state, group_, {.keep = keep_, .metadata = metadata});
  }

  /// The newest complete checkpoint.
  std::optional<std::filesystem::path> latest() const {
    std::string found;
    internal::mpi::on_first(group_, [&] {
      for (auto const& one : complete()) found = one.path.string();
    });
    found = internal::mpi::text_of_root(found, 0, group_);
    return found.empty() ? std::nullopt : std::optional<std::filesystem::path>(found);
  }

  /// The state of "latest", "best", or of the path of a checkpoint; `like` has its structure, sizes
  /// and shardings, which may be other than those of the save. Throws `FileError` or `ShapeError`
  /// for the first entry that does not fit.
  template <class State>
  State load(std::string_view which, State like) const {
    auto const path = which == "latest" ? folder_
                      : which == "best" ? folder_ / "best"
                                        : std::filesystem::path(which);
    return load_shards(path, std::move(like), group_);
  }

  /// Replaces a state by the latest checkpoint; false if there is none.
  template <class State>
  bool load_latest(State& state) const {
    if (!latest()) return false;
    state = load("latest", std::move(state));
    return true;
  }

  /// Removes the checkpoints after a number, from which a run is resumed.
  void remove_after(std::int64_t number) {
    lock();
    internal::mpi::on_first(group_, [&] {
      for (auto const& one : complete()) {
        if (number_of(one.path) > number) internal::checkpoints::remove_generation(one.path);
      }
    });
  }

 private:
  using Generations = std::vector<internal::checkpoints::Generation>;

  /// Those of a folder that exists, the oldest first.
  Generations complete() const {
    std::error_code none;
    if (!std::filesystem::exists(folder_, none)) return {};
    auto all = internal::checkpoints::generations_in(folder_, "load");
    std::erase_if(all, [](auto const& one) { return !one.is_committed; });
    return all;
  }

  /// 0 for a checkpoint of another program.
  std::int64_t number_of(std::filesystem::path const& path) const {
    auto const metadata = load_shards_metadata(path);
    auto const found = metadata.find(unit_);
    std::int64_t number = 0;
    if (found == metadata.end()) return number;
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
    return number;
  }

  /// Rank 0 creates the folder and locks it, before the first change.
  void lock() {
    internal::mpi::on_first(group_, [&] {
      if (lock_) return;
      internal::training::create_folder(folder_, "CheckpointManagerOverRanks");
      lock_.emplace(folder_, "CheckpointManagerOverRanks");
    });
  }

  std::filesystem::path folder_;
  std::string unit_;
  int keep_;
  Group group_;
  std::optional<internal::training::FolderLock> lock_{};
};

}  // namespace tenon::training
