#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The largest number of bytes of one call: macOS rejects more than 2^31 - 1.
inline constexpr std::size_t most_bytes_a_call = std::size_t{1} << 30;

/// Calls transfer(bytes done, bytes to do now) until all is done; returns 0 or the error number. (A
/// call that transfers nothing means end of file: EIO.)
template <class F>
int transfer_all(std::size_t bytes, F&& transfer) {
  for (std::size_t done = 0; done < bytes;) {
    std::size_t const left = bytes - done;
    auto const now = transfer(done, left < most_bytes_a_call ? left : most_bytes_a_call);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return now < 0 ? errno : EIO;
    done += static_cast<std::size_t>(now);
  }
  return 0;
}

}  // namespace tenon::internal

/// Files of the operating system: system_file.posix.ipp and system_file.windows.ipp. Functions
/// that return an `int` return 0 or the error number (of POSIX, on both systems).
namespace tenon::internal {

/// An owning file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() { close(); }

  /// False where the system reports that written data were lost.
  bool close();
  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }

 private:
  int number_;
};

/// Opens a file; a negative descriptor and `errno` if that fails.
int open_to_read(std::filesystem::path const& path);

/// Creates a file, which must not exist; otherwise the same. A private file is readable by its
/// owner alone (Windows: its access control list is inherited from the folder).
int create_to_write(std::filesystem::path const& path, bool is_private);

/// Whether an open file is a regular one, and its size in bytes.
struct FileStatus {
  int error = 0;
  bool is_regular = false;
  std::uint64_t bytes = 0;
};

FileStatus status_of(int descriptor);

/// Reads from a position on; returns the number of bytes, or a negative number and `errno`.
std::ptrdiff_t read_some(int descriptor, void* to, std::size_t bytes, std::uint64_t offset);

/// A file as read-only memory, from its start.
struct Mapping {
  int error = 0;
  std::byte const* data = nullptr;
};

/// Maps at least one byte.
Mapping map_to_read(int descriptor, std::size_t bytes);

void unmap(std::byte const* data, std::size_t bytes);

/// Appends; otherwise `read_some`.
std::ptrdiff_t write_some(int descriptor, void const* from, std::size_t bytes);

/// Flushes written data to the disk.
int synchronise(int descriptor);

/// The same for the names in a directory, so that they survive a power failure. (EINVAL: the file
/// system does not support it; EACCES: the directory is not readable, but files can be created.)
int synchronise_folder(std::filesystem::path const& folder);

/// Unlinks a partial file whose writer no longer runs. On a file system without locks the file
/// remains.
void remove_if_abandoned(std::filesystem::path const& partial);

/// Locks a newly created file. False if another process removed it as abandoned before.
bool lock_partial(int descriptor);

/// Gives a file the owner, group and permissions of the one that it replaces. Only root can change
/// owners: otherwise the owner is the process's, and a group that cannot be kept gets no
/// permissions. If the old file has been removed meanwhile, the new one remains private. (Windows:
/// nothing is copied.)
int copy_ownership(std::filesystem::path const& from, int to);

/// Renames a closed file, and replaces the file of the new name atomically. (Windows: EACCES if
/// that file is open.)
int replace_file(std::filesystem::path const& from, std::filesystem::path const& to);

int process_id();

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <tenon/core/windows.hpp>

#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

TENON_RUNTIME Mapping map_to_read(int descriptor, std::size_t bytes) {
  void* const data = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED) return {.error = errno};
  return {0, static_cast<std::byte const*>(data)};
}

TENON_RUNTIME void unmap(std::byte const* data, std::size_t bytes) {
  ::munmap(const_cast<std::byte*>(data), bytes);
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

#if defined(_WIN32)

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>

#include <mutex>
#include <system_error>
#include <utility>

namespace tenon::internal {

TENON_RUNTIME bool Descriptor::close() {
  int const number = std::exchange(number_, -1);
  return number < 0 || ::_close(number) == 0;
}

TENON_RUNTIME int open_to_read(std::filesystem::path const& path) {
  return ::_wopen(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

TENON_RUNTIME int create_to_write(std::filesystem::path const& path, bool) {
  return ::_wopen(path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                  _S_IREAD | _S_IWRITE);
}

TENON_RUNTIME FileStatus status_of(int descriptor) {
  struct _stat64 status {};
  if (::_fstat64(descriptor, &status) != 0) return {.error = errno};
  return {0, (status.st_mode & _S_IFMT) == _S_IFREG, static_cast<std::uint64_t>(status.st_size)};
}

/// The C library has no function that reads from a position: the two calls are one under the mutex.
TENON_RUNTIME std::ptrdiff_t read_some(int descriptor, void* to, std::size_t bytes,
                                       std::uint64_t offset) {
  static std::mutex mutex;
  std::lock_guard const lock(mutex);
  if (::_lseeki64(descriptor, static_cast<std::int64_t>(offset), SEEK_SET) < 0) return -1;
  return ::_read(descriptor, to, static_cast<unsigned>(bytes));
}

/// The number of the last error of Windows, as one of POSIX.
TENON_RUNTIME int last_error() {
  std::error_code const error(static_cast<int>(::GetLastError()), std::system_category());
  return error.default_error_condition().value();
}

/// The view keeps the mapping alive.
TENON_RUNTIME Mapping map_to_read(int descriptor, std::size_t bytes) {
  constexpr unsigned long read_only_pages = 2, read_access = 4;
  auto* const file = reinterpret_cast<void*>(::_get_osfhandle(descriptor));
  void* const mapping = ::CreateFileMappingW(file, nullptr, read_only_pages, 0, 0, nullptr);
  if (mapping == nullptr) return {.error = last_error()};
  void* const data = ::MapViewOfFile(mapping, read_access, 0, 0, bytes);
  int const error = data == nullptr ? last_error() : 0;
  ::CloseHandle(mapping);
  return {error, static_cast<std::byte const*>(data)};
}

TENON_RUNTIME void unmap(std::byte const* data, std::size_t) { ::UnmapViewOfFile(data); }

TENON_RUNTIME std::ptrdiff_t write_some(int descriptor, void const* from, std::size_t bytes) {
  return ::_write(descriptor, from, static_cast<unsigned>(bytes));
}

TENON_RUNTIME int synchronise(int descriptor) { return ::_commit(descriptor) == 0 ? 0 : errno; }

/// Windows has no such call: `replace_file` returns when the name is on the disk.
TENON_RUNTIME int synchronise_folder(std::filesystem::path const&) { return 0; }

/// A file that is open is not removed: its writer needs no lock.
TENON_RUNTIME void remove_if_abandoned(std::filesystem::path const& partial) {
  std::error_code is_open;
  std::filesystem::remove(partial, is_open);
}

TENON_RUNTIME bool lock_partial(int) { return true; }

/// Permissions are access control lists, which the new file inherits from the folder.
TENON_RUNTIME int copy_ownership(std::filesystem::path const&, int) { return 0; }

TENON_RUNTIME int replace_file(std::filesystem::path const& from, std::filesystem::path const& to) {
  constexpr unsigned long replace_existing = 1, write_through = 8;
  bool const moved = ::MoveFileExW(from.c_str(), to.c_str(), replace_existing | write_through) != 0;
  return moved ? 0 : last_error();
}

TENON_RUNTIME int process_id() { return ::_getpid(); }

}  // namespace tenon::internal

#endif

#endif
