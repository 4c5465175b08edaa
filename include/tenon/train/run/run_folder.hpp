#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <tenon/core/error.hpp>

#include <tenon/train/run/log_record.hpp>

namespace tenon::internal::training {

/// Throws `ValueError` unless a tag is a part of a name of a folder on every system.
inline void check_tag(std::string_view tag) {
  auto const is_usual = [](char c) {
    bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  if (!tag.empty() && tag.size() <= 100 && std::ranges::all_of(tag, is_usual)) return;
  fail<ValueError>({.who = "RunManager",
                    .what = "tag",
                    .expected = "1 to 100 letters, digits, '-', '_' and '.'",
                    .got = "'" + std::string(tag.substr(0, 100)) + "'"});
}

/// Creates a folder that does not exist yet: `runs/20261126_120000_tag`, with `_2`, `_3` and so on
/// behind it if there is one of that name. Throws `FileError`.
inline std::filesystem::path create_run_folder(std::filesystem::path const& parent,
                                               std::string_view tag,
                                               std::chrono::system_clock::time_point time) {
  check_tag(tag);
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  std::string const name = time_text(time, "%Y%m%d_%H%M%S_") + std::string(tag);
  for (int count = 1; !error && count < 10'000; ++count) {
    auto const path = parent / (count == 1 ? name : name + "_" + std::to_string(count));
    if (std::filesystem::create_directory(path, error)) return path;
  }
  fail<FileError>({.who = "RunManager",
                   .expected = "a folder that can be created",
                   .got = error ? error.message() : "10000 of its name",
                   .where = (parent / name).string()});
}

}  // namespace tenon::internal::training
