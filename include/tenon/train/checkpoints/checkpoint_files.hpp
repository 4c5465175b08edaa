#pragma once

// The names of checkpoint files, and those of a folder.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <tenon/io/partial_file.hpp>

namespace tenon::internal::training {

inline constexpr std::string_view checkpoint_extension = ".safetensors";

/// "checkpoint_epoch_005.safetensors"
inline std::string checkpoint_name(std::string_view unit, std::int64_t number) {
  std::string const digits = std::to_string(number);
  std::string const zeros(digits.size() < 3 ? 3 - digits.size() : 0, '0');
  return "checkpoint_" + std::string(unit) + "_" + zeros + digits +
         std::string(checkpoint_extension);
}

/// The number of a file of that name, if it is a checkpoint.
inline std::optional<std::int64_t> checkpoint_number(std::string_view unit, std::string_view name) {
  std::string const begin = "checkpoint_" + std::string(unit) + "_";
  if (!name.starts_with(begin) || !name.ends_with(checkpoint_extension)) return std::nullopt;
  std::int64_t number = 0;
  auto const [end, error] =
      std::from_chars(name.data() + begin.size(), name.data() + name.size(), number);
  bool const is_number = error == std::errc() && checkpoint_name(unit, number) == name;
  return is_number ? std::optional(number) : std::nullopt;
}

/// The numbers of the checkpoints of a folder, in ascending order.
inline std::vector<std::int64_t> checkpoint_numbers(std::filesystem::path const& folder,
                                                    std::string_view unit) {
  std::vector<std::int64_t> numbers;
  if (!std::filesystem::is_directory(folder)) return numbers;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    auto const number = checkpoint_number(unit, entry.path().filename().string());
    if (number) numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

/// Removes what saves left in a folder whose program was killed.
inline void remove_abandoned_saves(std::filesystem::path const& folder) {
  std::vector<std::filesystem::path> targets;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    std::string const name = entry.path().filename().string();
    auto const at = name.find(partial_infix);
    if (at != std::string::npos) targets.push_back(folder / name.substr(0, at));
  }
  for (auto const& target : targets) remove_abandoned_partials(target);
}

}  // namespace tenon::internal::training
