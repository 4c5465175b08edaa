// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include <tenon/tenon.hpp>
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
