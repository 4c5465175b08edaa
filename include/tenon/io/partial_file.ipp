#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/partial_file.hpp>

namespace tenon::internal {

TENON_RUNTIME void remove_if_abandoned(std::filesystem::path const& partial) {
  Descriptor const file(::open(partial.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (file && ::flock(*file, LOCK_EX | LOCK_NB) == 0) ::unlink(partial.c_str());
}

TENON_RUNTIME void remove_abandoned_partials(std::filesystem::path const& target) {
  std::string const prefix = target.filename().string().append(partial_infix);
  auto const folder = target.has_parent_path() ? target.parent_path() : ".";
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename().string().starts_with(prefix)) remove_if_abandoned(entry->path());
  }
}

TENON_RUNTIME bool lock_partial(int file) {
  while (::flock(file, LOCK_EX) != 0 && errno == EINTR) continue;
  struct stat status {};
  return ::fstat(file, &status) != 0 || status.st_nlink > 0;
}

TENON_RUNTIME int copy_ownership(struct stat const& from, int to) {
  mode_t mode = from.st_mode & 0777;
  if (::fchown(to, from.st_uid, from.st_gid) != 0 &&
      ::fchown(to, static_cast<uid_t>(-1), from.st_gid) != 0)
    mode &= static_cast<mode_t>(~0070);
  return ::fchmod(to, mode) == 0 ? 0 : errno;
}

TENON_RUNTIME int follow_links(std::filesystem::path& path) {
  std::error_code error;
  for (int links = 0; is_symlink(std::filesystem::symlink_status(path, error)); ++links) {
    if (links == 40) return ELOOP;  // the limit of Linux
    auto const next = std::filesystem::read_symlink(path, error);
    if (error) return error.value();
    path = path.parent_path() / next;
  }
  return 0;
}

}  // namespace tenon::internal
