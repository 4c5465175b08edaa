#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <tenon/core/config.hpp>

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

/// Maps a file of at least one byte into memory, read-only; null and `errno` if that fails.
void const* map_to_read(int descriptor, std::uint64_t bytes);

void unmap(void const* address, std::uint64_t bytes);

/// Appends; otherwise the same.
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
#include <tenon/io/system_file.posix.ipp>
#include <tenon/io/system_file.windows.ipp>
#endif
