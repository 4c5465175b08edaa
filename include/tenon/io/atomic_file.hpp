#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/system_file.hpp>

/// Partial files, `target.partial-…`. Their writer holds a lock on them (Windows: has them open)
/// until it closes them, so that a partial file without a lock is known to be abandoned, on
/// whichever machine or in whichever container its writer ran.
namespace tenon::internal {

inline constexpr std::string_view partial_infix = ".partial-";

/// Unlinks the partial files of a target whose writers no longer run.
void remove_abandoned_partials(std::filesystem::path const& target);

/// Follows all symbolic links of a path, whose target need not exist; returns 0 or the error
/// number.
int follow_links(std::filesystem::path& path);

/// Atomic replacement of a file: written beside its target as `target.partial-…`, and renamed when
/// all of it is on the disk. Readers of the target, also after a power failure, see the old content
/// or the new. Owner, group and permissions of an old target are kept as far as the process may set
/// them; access control lists and extended attributes are not. A symbolic link is followed, also to
/// a file that does not exist yet. A killed program leaves its partial file, which the next writer
/// of this target removes. `who` is the operation in messages. Throws `FileError`; the target is
/// then unchanged.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path const& path, std::string_view who = "save")
      : name_(path.string()), who_(who), target_(resolved(path)), file_(open_partial()) {}

  ~AtomicFile();
  AtomicFile(AtomicFile const&) = delete;
  AtomicFile& operator=(AtomicFile const&) = delete;

  void write(void const* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }

  /// Replaces the target by the file.
  void commit();

 private:
  /// A symbolic link is kept: the file that it names is replaced.
  std::filesystem::path resolved(std::filesystem::path path) const;

  /// Opens a new file exclusively. The replacement of a file is readable by its owner alone until
  /// it has the permissions of the original.
  int open_partial();

  /// Contains the process id, so that concurrent saves use different files.
  std::filesystem::path next_partial() const;

  /// Rejects a device: renaming would replace it by a file.
  void check_target();

  void check(int error) const;

  std::string name_, who_;
  std::filesystem::path target_, partial_;
  bool replaces_ = false;  // the target exists
  Descriptor file_;
  bool committed_ = false;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <atomic>
#include <cerrno>
#include <system_error>

#include <tenon/core/error.hpp>

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

#endif
