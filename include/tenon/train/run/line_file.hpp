#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal::training {

/// A file of lines that grows: each line is given to the system in one call, so that a program that
/// is killed loses at most the line that it writes. Several threads may write.
class LineFile {
 public:
  LineFile(std::filesystem::path const& path, std::string_view who);

  /// Appends a line. Throws `FileError` where it cannot be written; if a part of it has been, the
  /// next line begins on a new one.
  void write_line(std::string_view line);

 private:
  [[noreturn]] void refuse() const;

  std::string name_, who_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::mutex mutex_{};
  bool is_torn_ = false;  // the last line is incomplete
};

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <cerrno>
#include <cstddef>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal::training {

TENON_RUNTIME LineFile::LineFile(std::filesystem::path const& path, std::string_view who)
    : name_(path.string()), who_(who), file_(std::fopen(name_.c_str(), "ab"), std::fclose) {
  if (!file_) refuse();
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

TENON_RUNTIME void LineFile::write_line(std::string_view line) {
  std::scoped_lock const lock(mutex_);
  std::string whole = is_torn_ ? "\n" : "";
  whole.append(line).append("\n");
  errno = 0;
  std::size_t const written = std::fwrite(whole.data(), 1, whole.size(), file_.get());
  if (written > 0) is_torn_ = written < whole.size();
  if (written == whole.size()) return;
  std::clearerr(file_.get());
  refuse();
}

TENON_RUNTIME void LineFile::refuse() const {
  fail<FileError>({.who = who_,
                   .expected = "a file that can be written",
                   .got = system_words(errno),
                   .where = name_});
}

}  // namespace tenon::internal::training

#endif
