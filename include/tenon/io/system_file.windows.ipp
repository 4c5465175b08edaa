#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/windows.hpp>
#include <tenon/io/system_file.hpp>

#if defined(_WIN32)

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>

#include <cerrno>
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

TENON_RUNTIME void const* map_to_read(int descriptor, std::uint64_t) {
  constexpr unsigned long page_readonly = 2, file_map_read = 4;
  auto* const file = reinterpret_cast<void*>(::_get_osfhandle(descriptor));
  void* const mapping = ::CreateFileMappingW(file, nullptr, page_readonly, 0, 0, nullptr);
  void const* const address =
      mapping == nullptr ? nullptr : ::MapViewOfFile(mapping, file_map_read, 0, 0, 0);
  if (address == nullptr) errno = EACCES;
  if (mapping != nullptr) ::CloseHandle(mapping);  // the mapping lives as long as its view
  return address;
}

TENON_RUNTIME void unmap(void const* address, std::uint64_t) { ::UnmapViewOfFile(address); }

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
  if (::MoveFileExW(from.c_str(), to.c_str(), replace_existing | write_through) != 0) return 0;
  std::error_code const error(static_cast<int>(::GetLastError()), std::system_category());
  return error.default_error_condition().value();
}

TENON_RUNTIME int process_id() { return ::_getpid(); }

}  // namespace tenon::internal

#endif
