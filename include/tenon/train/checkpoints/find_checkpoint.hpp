#pragma once

#include <filesystem>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal::training {

/// The file in a folder of checkpoints that "latest" or "best" means, or a path: that of a file, or
/// of one in the folder; for an option `--resume`. `unit` is that of `CheckpointOptions`. Throws
/// `FileError` if there is none.
std::filesystem::path find_checkpoint(std::filesystem::path const& folder, std::string_view which,
                                      std::string_view unit = "epoch");

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::find_checkpoint;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <system_error>

#include <tenon/core/error.hpp>
#include <tenon/train/checkpoints/checkpoint_files.hpp>

namespace tenon::internal::training {

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

#endif
