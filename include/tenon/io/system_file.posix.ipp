#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/system_file.hpp>

#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace tenon::internal {

TENON_RUNTIME bool Descriptor::close() {
  int const number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0;
}

TENON_RUNTIME int open_to_read(std::filesystem::path const& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

TENON_RUNTIME int create_to_write(std::filesystem::path const& path, bool is_private) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
}

TENON_RUNTIME FileStatus status_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return {.error = errno};
  return {0, S_ISREG(status.st_mode), static_cast<std::uint64_t>(status.st_size)};
}

TENON_RUNTIME std::ptrdiff_t read_some(int descriptor, void* to, std::size_t bytes,
                                       std::uint64_t offset) {
  return ::pread(descriptor, to, bytes, static_cast<off_t>(offset));
}

TENON_RUNTIME void const* map_to_read(int descriptor, std::uint64_t bytes) {
  void* const address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  return address == MAP_FAILED ? nullptr : address;
}

TENON_RUNTIME void unmap(void const* address, std::uint64_t bytes) {
  ::munmap(const_cast<void*>(address), bytes);
}

TENON_RUNTIME std::ptrdiff_t write_some(int descriptor, void const* from, std::size_t bytes) {
  return ::write(descriptor, from, bytes);
}

TENON_RUNTIME int synchronise(int descriptor) {
#if defined(F_FULLFSYNC)  // macOS: fsync alone does not flush the disk's own cache
  if (::fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
  while (::fsync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

TENON_RUNTIME int synchronise_folder(std::filesystem::path const& folder) {
  auto const* const name = folder.empty() ? "." : folder.c_str();
  Descriptor const file(::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  int const error = file ? synchronise(*file) : errno;
  return error == EINVAL || error == EACCES ? 0 : error;
}

TENON_RUNTIME void remove_if_abandoned(std::filesystem::path const& partial) {
  Descriptor const file(::open(partial.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (file && ::flock(*file, LOCK_EX | LOCK_NB) == 0) ::unlink(partial.c_str());
}

TENON_RUNTIME bool lock_partial(int descriptor) {
  while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) continue;
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

TENON_RUNTIME int copy_ownership(std::filesystem::path const& from, int to) {
  struct stat old {};
  if (::stat(from.c_str(), &old) != 0) return errno == ENOENT ? 0 : errno;
  mode_t mode = old.st_mode & 0777;
  if (::fchown(to, old.st_uid, old.st_gid) != 0 &&
      ::fchown(to, static_cast<uid_t>(-1), old.st_gid) != 0)
    mode &= static_cast<mode_t>(~0070);
  return ::fchmod(to, mode) == 0 ? 0 : errno;
}

TENON_RUNTIME int replace_file(std::filesystem::path const& from, std::filesystem::path const& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

TENON_RUNTIME int process_id() { return ::getpid(); }

}  // namespace tenon::internal

#endif
