#pragma once

// The names of checkpoints, and those in a folder.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal::training {

inline constexpr std::string_view checkpoint_extension = ".safetensors";
inline constexpr std::string_view best_checkpoint = "best.safetensors";

/// "checkpoint_epoch_005.safetensors"
inline std::string checkpoint_name(std::string_view unit, std::int64_t number) {
  std::string const digits = std::to_string(number);
  std::string name = "checkpoint_";
  name.append(unit).append("_").append(digits.size() < 3 ? 3 - digits.size() : 0, '0');
  return name.append(digits).append(checkpoint_extension);
}

/// The number in the name of a checkpoint; none for other names.
inline std::optional<std::int64_t> checkpoint_number(std::string_view unit, std::string_view name) {
  auto const begin = std::string_view("checkpoint__").size() + unit.size();
  if (name.size() < begin) return std::nullopt;
  std::int64_t number = 0;
  std::from_chars(name.data() + begin, name.data() + name.size(), number);
  bool const is_number = number >= 0 && checkpoint_name(unit, number) == name;
  return is_number ? std::optional(number) : std::nullopt;
}

/// The names of the files in a folder, in any order; none of a folder that does not exist. Throws
/// `FileError`.
inline std::vector<std::string> names_in(std::filesystem::path const& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  if (error == std::errc::no_such_file_or_directory) return names;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (!error) return names;
  std::string const got = system_words(error_number(error));
  fail<FileError>({.who = "checkpoints",
                   .expected = "a folder that can be read",
                   .got = got,
                   .where = folder.string()});
}

/// The numbers of the checkpoints in a folder, in ascending order.
inline std::vector<std::int64_t> checkpoint_numbers(std::filesystem::path const& folder,
                                                    std::string_view unit) {
  std::vector<std::int64_t> numbers;
  for (auto const& name : names_in(folder)) {
    auto const number = checkpoint_number(unit, name);
    if (number) numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

/// Removes what killed programs left in a folder; files that are being written remain.
inline void remove_abandoned_saves(std::filesystem::path const& folder) {
  for (auto const& name : names_in(folder)) {
    auto const target = name.substr(0, name.find(partial_infix));
    bool const is_ours = target == best_checkpoint || target.starts_with("checkpoint_");
    if (is_ours && target != name) remove_abandoned_partials(folder / target);
  }
}

}  // namespace tenon::internal::training
