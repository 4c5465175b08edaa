#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <tenon/core/language/word.hpp>
#include <tenon/distributed/checkpoint/index_text.hpp>
#include <tenon/io/atomic_file.hpp>

/// The numbered checkpoints in a folder, each in its own subfolder. A checkpoint is complete once
/// its index exists: the index is written last and removed first.
namespace tenon::internal::checkpoints {

namespace fs = std::filesystem;

struct Generation {
  std::int64_t number = 0;
  fs::path path{};
  bool is_committed = false;
};

[[noreturn, gnu::cold]] inline void fail_in(fs::path const& folder, std::string_view who,
                                            std::string_view expected, int error) {
  fail<FileError>({who, {}, expected, system_words(error), folder.string()});
}

/// "000003"
inline std::string generation_name(std::int64_t number) {
  std::string const digits = std::to_string(number);
  return std::string(6 - std::min<std::size_t>(6, digits.size()), '0') + digits;
}

/// The number of a checkpoint folder; 0 for other names.
inline std::int64_t generation_number(fs::path const& path) {
  std::string const name = path.filename().string();
  if (name.size() > 15 || leading_digits(name).size() != name.size()) return 0;
  std::int64_t const number = name.empty() ? 0 : std::stoll(name);
  std::error_code none;
  return name == generation_name(number) && fs::is_directory(path, none) ? number : 0;
}

/// The checkpoints in a folder, the oldest first. Throws `FileError`.
inline std::vector<Generation> generations_in(fs::path const& folder, std::string_view who) {
  std::vector<Generation> found;
  std::error_code error;
  fs::directory_iterator all(folder, error);
  for (; !error && all != fs::directory_iterator(); all.increment(error)) {
    std::int64_t const number = generation_number(all->path());
    std::error_code none;
    bool const is_committed = fs::is_regular_file(all->path() / index_name, none);
    if (number > 0) found.push_back({number, all->path(), is_committed});
  }
  if (error) fail_in(folder, who, "a folder of checkpoints", error_number(error));
  std::ranges::sort(found, {}, &Generation::number);
  return found;
}

/// Creates the folder of the next checkpoint and returns its name; safe against other jobs that
/// save to the same folder. Throws `FileError`.
inline std::string begin_generation(fs::path const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail_in(folder, "save", "a folder that can be written", error_number(error));
  auto const before = generations_in(folder, "save");
  std::int64_t number = before.empty() ? 1 : before.back().number + 1;
  while (!fs::create_directory(folder / generation_name(number), error) && !error) ++number;
  std::string name = generation_name(number);
  int lost = error_number(error);
  if (lost == 0) lost = synchronise_folder(folder);
  if (lost == 0) return name;
  fs::remove(folder / name, error);
  fail_in(folder, "save", "a folder that can be written", lost);
}

/// Removes its files, the index first, so that an incomplete checkpoint is never read. Files that
/// cannot be removed and files of others remain.
inline void remove_generation(fs::path const& path) {
  std::error_code ignored;
  fs::remove(path / index_name, ignored);
  std::vector<fs::path> own;
  for (fs::directory_iterator all(path, ignored); !ignored && all != fs::directory_iterator();
       all.increment(ignored)) {
    std::string const name = all->path().filename().string();
    if (name.starts_with("shard-") || name.starts_with(index_name)) own.push_back(all->path());
  }
  for (auto const& file : own) fs::remove(file, ignored);
  fs::remove(path, ignored);
}

/// Removes checkpoints older than the last `keep`, and incomplete ones of interrupted saves. The
/// new checkpoint is complete: failures here are ignored and retried by the next save.
inline void remove_old_generations(fs::path const& folder, int keep) try {
  auto const all = generations_in(folder, "save");
  for (auto one = all.rbegin(); one != all.rend(); ++one)
    if (!one->is_committed || keep-- <= 0) remove_generation(one->path);
} catch (std::exception const&) {
}

}  // namespace tenon::internal::checkpoints
