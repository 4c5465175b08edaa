#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/partial_file.hpp>
#include <tenon/io/system_file.hpp>

namespace tenon::internal {

TENON_RUNTIME void remove_abandoned_partials(std::filesystem::path const& target) {
  std::string const prefix = target.filename().string().append(partial_infix);
  auto const folder = target.has_parent_path() ? target.parent_path() : ".";
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename().string().starts_with(prefix)) remove_if_abandoned(entry->path());
  }
}

TENON_RUNTIME int follow_links(std::filesystem::path& path) {
  std::error_code error;
  for (int links = 0; is_symlink(std::filesystem::symlink_status(path, error)); ++links) {
    if (links == 40) return ELOOP;  // the limit of Linux
    auto const next = std::filesystem::read_symlink(path, error);
    if (error) return error_number(error);
    path = path.parent_path() / next;
  }
  return 0;
}

}  // namespace tenon::internal
