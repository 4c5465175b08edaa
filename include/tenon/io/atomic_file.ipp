#pragma once

#include <atomic>
#include <cerrno>
#include <system_error>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/partial_file.hpp>
#include <tenon/io/transfer.hpp>

namespace tenon::internal {

TENON_RUNTIME AtomicFile::~AtomicFile() {
  if (committed_) return;
  file_.close();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

TENON_RUNTIME void AtomicFile::write(void const* data, std::size_t bytes) {
  int const error = transfer_all(bytes, [&](std::size_t done, std::size_t now) {
    return write_some(*file_, static_cast<std::byte const*>(data) + done, now);
  });
  check(error);
}

TENON_RUNTIME void AtomicFile::commit() {
  if (replaces_) check(copy_ownership(target_, *file_));
  check(synchronise(*file_));
  if (!file_.close()) check(errno);
  check(replace_file(partial_, target_));
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
    int const file = create_to_write(partial_, replaces_);
    if (file >= 0 && lock_partial(file)) return file;
    if (file >= 0) Descriptor(file).close();
    else if (errno != EEXIST && errno != EINTR) check(errno);
  }
}

TENON_RUNTIME std::filesystem::path AtomicFile::next_partial() const {
  static std::atomic<unsigned> serial{0};
  auto partial = target_;
  return partial.concat(partial_infix)
      .concat(std::to_string(process_id()) + "-" + std::to_string(serial++));
}

TENON_RUNTIME void AtomicFile::check_target() {
  std::error_code ignored;
  auto const status = std::filesystem::status(target_, ignored);
  replaces_ = exists(status);
  if (is_directory(status)) check(EISDIR);
  if (replaces_ && !is_regular_file(status))
    fail<FileError>({who_, {}, "the name of a file", "that of a device or a pipe", name_});
}

TENON_RUNTIME void AtomicFile::check(int error) const {
  if (error == 0) return;
  std::string const got = system_words(error);
  fail<FileError>(
      {.who = who_, .expected = "a file that can be written", .got = got, .where = name_});
}

}  // namespace tenon::internal
