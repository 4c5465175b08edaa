#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/partial_file.hpp>
#include <tenon/io/transfer.hpp>

namespace tenon::internal {

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

TENON_RUNTIME AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(partial_.c_str());
}

TENON_RUNTIME void AtomicFile::write(void const* data, std::size_t bytes) {
  int const error = transfer_all(bytes, [&](std::size_t done, std::size_t now) {
    return ::write(*file_, static_cast<std::byte const*>(data) + done, now);
  });
  check(error);
}

TENON_RUNTIME void AtomicFile::commit() {
  if (replaces_) check(copy_ownership(old_, *file_));
  check(synchronise(*file_));
  if (!file_.close()) check(errno);
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) check(errno);
  committed_ = true;
  check(synchronise_folder(target_.parent_path()));
}

TENON_RUNTIME std::filesystem::path AtomicFile::resolved(std::filesystem::path path) const {
  check(follow_links(path));
  return path;
}

TENON_RUNTIME int AtomicFile::open_partial() {
  check_target();
  remove_abandoned_partials(target_);
  while (true) {
    partial_ = next_partial();
    int const file =
        ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces_ ? 0600 : 0666);
    if (file >= 0 && lock_partial(file)) return file;
    if (file >= 0) ::close(file);
    else if (errno != EEXIST && errno != EINTR) check(errno);
  }
}

TENON_RUNTIME std::filesystem::path AtomicFile::next_partial() const {
  static std::atomic<unsigned> serial{0};
  auto partial = target_;
  return partial.concat(partial_infix)
      .concat(std::to_string(::getpid()) + "-" + std::to_string(serial++));
}

TENON_RUNTIME void AtomicFile::check_target() {
  replaces_ = ::stat(target_.c_str(), &old_) == 0;
  if (!replaces_) return;
  if (S_ISDIR(old_.st_mode)) check(EISDIR);
  if (!S_ISREG(old_.st_mode))
    fail<FileError>({"save", {}, "the name of a file", "that of a device or a pipe", name_});
}

TENON_RUNTIME void AtomicFile::check(int error) const {
  if (error == 0) return;
  std::string const got = system_words(error);
  fail<FileError>(
      {.who = "save", .expected = "a file that can be written", .got = got, .where = name_});
}

}  // namespace tenon::internal
