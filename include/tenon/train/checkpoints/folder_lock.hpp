#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/system_file.hpp>

namespace tenon::internal::training {

/// Creates a folder where it does not exist. Throws `FileError`.
void create_folder(std::filesystem::path const& folder, std::string_view who);

/// The right to save in a folder, for one object at a time, of any process. It is a file
/// `.checkpoints.lock`, locked during the lifetime of the object; that of a killed program has no
/// lock, and is replaced. (On a file system without locks it remains, and is removed by hand.)
/// Throws `FileError`.
class FolderLock {
 public:
  FolderLock(std::filesystem::path const& folder, std::string who);
  ~FolderLock();
  FolderLock(FolderLock const&) = delete;
  FolderLock& operator=(FolderLock const&) = delete;

 private:
  int open_lock() const;
  [[noreturn]] void refuse(int error) const;

  std::string who_;
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <cerrno>
#include <system_error>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal::training {

TENON_RUNTIME void create_folder(std::filesystem::path const& folder, std::string_view who) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  std::string const got = system_words(error_number(error));
  fail<FileError>({.who = who,
                   .expected = "a folder that can be created",
                   .got = got,
                   .where = folder.string()});
}

TENON_RUNTIME FolderLock::FolderLock(std::filesystem::path const& folder, std::string who)
    : who_(std::move(who)), path_(folder / ".checkpoints.lock"), file_(open_lock()) {}

TENON_RUNTIME FolderLock::~FolderLock() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

/// A new file. (Another process can remove it before it is locked.)
TENON_RUNTIME int FolderLock::open_lock() const {
  while (true) {
    remove_if_abandoned(path_);
    int const file = create_to_write(path_, false);
    if (file < 0 && errno != EINTR) refuse(errno);
    if (file >= 0 && lock_partial(file)) return file;
    if (file >= 0) Descriptor(file).close();
  }
}

TENON_RUNTIME void FolderLock::refuse(int error) const {
  bool const is_other = error == EEXIST;
  std::string const got =
      is_other ? "one that another object or program has locked" : system_words(error);
  fail<FileError>({.who = who_,
                   .expected = is_other ? "a folder in which nothing else saves"
                                        : "a folder that can be written",
                   .got = got,
                   .where = path_.string()});
}

}  // namespace tenon::internal::training

#endif
