#pragma once

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal::training {

/// A file of lines that grows: a program that is killed loses at most the line that it writes.
class LineFile {
 public:
  LineFile(std::filesystem::path const& path, std::string_view who)
      : name_(path.string()), who_(who), file_(std::fopen(name_.c_str(), "ab"), std::fclose) {
    if (!file_) refuse();
  }

  /// Appends a line. Throws `FileError` where it cannot be written.
  void write_line(std::string_view line) {
    std::string const whole = std::string(line) + '\n';
    std::scoped_lock const lock(mutex_);
    errno = 0;
    bool const is_written = std::fwrite(whole.data(), 1, whole.size(), file_.get()) == whole.size();
    if (!is_written || std::fflush(file_.get()) != 0) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    fail<FileError>({.who = who_,
                     .expected = "a file that can be written",
                     .got = system_words(errno),
                     .where = name_});
  }

  std::string name_, who_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::mutex mutex_{};
};

}  // namespace tenon::internal::training
