#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/system_file.hpp>

namespace tenon::internal {

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
#include <tenon/io/atomic_file.ipp>
#endif
